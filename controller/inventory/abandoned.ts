import { RELEASE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import type { KubeClient } from '../../kube/client.ts';
import { removeOwn } from '../delete/removeOwn.ts';
import { clearRenders } from '../store/clear.ts';
import { uidOfShard } from './shardName.ts';

/** A Release as its inventory names it; it may be gone. */
export interface InventoryOwner {
  namespace: string;
  name: string;
  uid: string;
}

/**
 * Releases that have left an inventory behind: somebody took their finalizer off by hand. The inventory's own finalizer
 * would hold it for ever, and its Namespace with it.
 * @param exists whether a Release of that UID is known; one that is not may still be new
 */
export async function findAbandoned(
  client: KubeClient,
  exists: (uid: string) => boolean,
): Promise<InventoryOwner[]> {
  const { items } = await client.listAll(RESOURCES.ReleaseInventory, { metadataOnly: true });
  const owners = items.flatMap((shard) => ownerOf(shard) ?? []).filter(({ uid }) => !exists(uid));
  return [...new Map(owners.map((owner) => [owner.uid, owner])).values()];
}

/**
 * Removes what is left of the inventory of a Release that is gone; nothing where the Release still exists.
 * @returns how many shards there were
 */
export async function removeAbandoned(
  client: KubeClient,
  { namespace, name, uid }: InventoryOwner,
): Promise<number> {
  const options = { namespace, metadataOnly: true };
  const { items } = await client.listAll(RESOURCES.ReleaseInventory, options);
  const shards = items.filter((shard) => ownerOf(shard)?.uid === uid);
  if (shards.length === 0) return 0;
  const releases = await client.listAll(RESOURCES.Release, options);
  if (releases.items.some(({ metadata }) => metadata.uid === uid)) return 0;
  // Before the inventory, by which they are found.
  await clearRenders(client, { metadata: { name, namespace, uid } });
  for (const { metadata } of shards)
    await removeOwn(client, RESOURCES.ReleaseInventory, { namespace, name: metadata.name });
  return shards.length;
}

/** The Release that an inventory belongs to, also where a deletion with `--cascade=orphan` has stripped its owner. */
export function ownerOf({ metadata }: KubeObject): InventoryOwner | undefined {
  const namespace = metadata.namespace ?? '';
  const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Release');
  if (owner !== undefined) return { namespace, name: owner.name, uid: owner.uid };
  const name = metadata.labels?.[RELEASE_LABEL];
  const uid = uidOfShard(metadata.name);
  return name === undefined || uid === undefined ? undefined : { namespace, name, uid };
}
