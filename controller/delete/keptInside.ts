import pMap from 'p-map';
import { PRUNE, PRUNE_DISABLED, RELEASE_LABEL } from '../../api/annotations.ts';
import { groupOf, keyOf, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { DiscoveryIncomplete } from '../../kube/discovery.ts';
import { isForbidden, isNotFound } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { CONCURRENCY } from '../apply/concurrency.ts';
import type { TargetCluster } from '../cluster.ts';

/**
 * Objects that a Release has applied into a Namespace and that say `prune: disabled`, whether or not an inventory lists
 * them still: they would go with the Namespace. None for any other kind, nor for a Namespace that goes already.
 * @throws ApiError, ConnectionError, DiscoveryIncomplete: not knowing is never taken for absence
 */
export async function keptInside(
  { client, discovery }: TargetCluster,
  object: KubeObject,
  signal: AbortSignal,
): Promise<ObjectKey[]> {
  const { name, deletionTimestamp } = object.metadata;
  const isNamespace = groupOf(object.apiVersion) === '' && object.kind === 'Namespace';
  if (!isNamespace || deletionTimestamp !== undefined) return [];
  const { resources, incomplete } = await discovery.all();
  const [unavailable] = incomplete;
  if (unavailable !== undefined) throw new DiscoveryIncomplete(unavailable);
  const options = { namespace: name, labelSelector: RELEASE_LABEL, metadataOnly: true, signal };
  const found = await pMap(
    onePerType(resources),
    async (resource) => await client.listAll(resource, options).then(({ items }) => items, unlessHidden),
    { concurrency: CONCURRENCY },
  );
  return found.flat().filter(isKept).map(keyOf);
}

/** Each type once, of those that can be listed in a Namespace. */
function onePerType(resources: readonly ApiResource[]): ApiResource[] {
  const inNamespaces = resources.filter(({ namespaced, verbs }) => namespaced && verbs.includes('list'));
  const byType = Map.groupBy(inNamespaces, ({ group, plural }) => `${group}/${plural}`);
  return [...byType.values()].flatMap(([first]) => first ?? []);
}

/** A type that is gone has no objects; what may not be listed cannot be told, and would hold the Namespace for ever. */
function unlessHidden(error: unknown): KubeObject[] {
  if (isNotFound(error) || isForbidden(error)) return [];
  throw error;
}

function isKept({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[PRUNE] === PRUNE_DISABLED;
}
