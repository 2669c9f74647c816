import type { KubeObject } from '../../api/object.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';

interface CustomResourceDefinition extends KubeObject {
  spec: { group: string; names: { kind: string } };
}

/** Enough to say that there are some, and about how many. */
const LIMIT = 500;

/**
 * How many instances of a CRD are left when the Release's own are gone; 0 for objects of any other kind.
 * At most 500 are counted.
 */
export async function foreignInstances(
  cluster: TargetCluster,
  object: KubeObject,
  signal: AbortSignal,
): Promise<number> {
  if (object.kind !== 'CustomResourceDefinition') return 0;
  const { group, names } = (object as CustomResourceDefinition).spec;
  const resource = await cluster.discovery.resourceFor(group, names.kind);
  if (resource === undefined) return 0;
  try {
    const { items } = await cluster.client.list(resource, { limit: LIMIT, signal });
    return items.length;
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}
