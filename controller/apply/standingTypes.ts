import pMap from 'p-map';
import { keyOf, keyString, type KubeObject } from '../../api/object.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '../../kube/builtIn.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import { CONCURRENCY } from './concurrency.ts';

/**
 * Which CRDs of a render are on the cluster already, and do not change with it: what the API server says of their instances
 * holds then. A CRD that changes may allow what it refuses now.
 * @param tested each CRD as it would be, by its dry run
 * @returns by keyString
 */
export async function standingTypes(
  { client }: TargetCluster,
  tested: readonly KubeObject[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const standing = new Set<string>();
  const look = async (future: KubeObject): Promise<void> => {
    const key = keyOf(future);
    try {
      const { metadata } = await client.get(CUSTOM_RESOURCE_DEFINITIONS, key, { signal });
      const isSame =
        metadata.uid === future.metadata.uid && metadata.generation === future.metadata.generation;
      if (isSame && metadata.deletionTimestamp === undefined) standing.add(keyString(key));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  await pMap(tested, look, { concurrency: CONCURRENCY });
  return standing;
}
