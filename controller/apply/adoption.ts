import pMap from 'p-map';
import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import { describe, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey } from '../inventory/inventory.ts';
import { isOwnedByAnother } from '../ownership.ts';
import { Halt } from '../release/halt.ts';
import { CONCURRENCY } from './concurrency.ts';

/**
 * Looks at objects that exist already and that this Release has never applied, before it takes them over. One that
 * another Release's inventory lists is never fought over; its labels say where to look (apply.md, ownership).
 * @param home where Releases and their inventories live
 * @throws Halt `OwnershipConflict` naming each object and its owner; nothing is applied
 */
export async function refuseOwned(
  target: TargetCluster,
  home: KubeClient,
  release: Release,
  existing: readonly ObjectKey[],
): Promise<void> {
  const owners = await pMap(existing, (key) => ownerOf(target, home, release, key), {
    concurrency: CONCURRENCY,
  });
  const conflicts = existing.flatMap((key, index) => {
    const owner = owners[index];
    return owner === undefined ? [] : [`${describe(key)} belongs to the Release ${owner}`];
  });
  if (conflicts.length === 0) return;
  const advice = 'take it out of one of the two Releases, or give it another name';
  throw new Halt(`${conflicts.join('\n')}\n${advice}; nothing was applied`, {
    reason: 'OwnershipConflict',
    stage: 'DryRun',
    resume: 'retry',
  });
}

/** `name in namespace` of the other Release whose inventory lists the object; undefined where there is none. */
async function ownerOf(
  target: TargetCluster,
  home: KubeClient,
  release: Release,
  key: ObjectKey,
): Promise<string | undefined> {
  const live = await readLive(target, key);
  if (live === undefined || !isOwnedByAnother(live, release)) return undefined;
  const name = live.metadata.labels?.[RELEASE_LABEL] ?? '';
  const namespace = live.metadata.labels?.[RELEASE_NAMESPACE_LABEL] ?? '';
  if (namespace === '') return undefined;
  const labelSelector = `${RELEASE_LABEL}=${name}`;
  const { items } = await home.listAll<ReleaseInventory>(RESOURCES.ReleaseInventory, {
    namespace,
    labelSelector,
  });
  const id = keyString(key);
  const isListed = items.some(({ spec }) => spec.entries.some((entry) => keyString(entryKey(entry)) === id));
  return isListed ? `${name} in ${namespace}` : undefined;
}

async function readLive(
  { client, discovery }: TargetCluster,
  key: ObjectKey,
): Promise<KubeObject | undefined> {
  const resource = await discovery.resourceFor(key.group, key.kind);
  if (resource === undefined) return undefined;
  return await client.get(resource, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}
