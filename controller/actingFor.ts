import type { Release } from '../api/release.ts';
import type { Services } from './services.ts';

/**
 * The services of a Release that acts as a ServiceAccount of its namespace (operations.md, "Tenancy"): all that it reads
 * and writes on its cluster, and what its source reads, goes as `system:serviceaccount:NAMESPACE:NAME`. Its own status,
 * inventory, renders and events, and the watches, stay Convoy's. The API server adds the groups of a ServiceAccount itself.
 * @param services of its cluster, as Convoy
 * @param byDefault for a Release that names none
 */
export function actingFor(
  { metadata, spec }: Release,
  services: Services,
  byDefault: string | undefined,
): Services {
  const actsAs = spec.serviceAccountName ?? byDefault;
  if (actsAs === undefined) return services;
  const user = { user: `system:serviceaccount:${metadata.namespace ?? ''}:${actsAs}` };
  const { target, home } = services;
  return {
    ...services,
    actsAs,
    target: { ...target, client: target.client.as(user) },
    sourceReader: home.client.as(user),
  };
}
