import { RESOURCES } from '../../api/group.ts';
import type { KubeObject, OwnerReference } from '../../api/object.ts';
import { ownerLabels } from '../../api/ownership.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { removeOwn } from '../delete/removeOwn.ts';
import { clearRenders } from '../store/clear.ts';

/** A Release that no longer exists, as its inventory names it. */
export interface GoneRelease {
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
): Promise<GoneRelease[]> {
  const { items } = await client.listAll(RESOURCES.ReleaseInventory, { metadataOnly: true });
  const owners = items.flatMap((shard) => {
    const owner = ownerOf(shard);
    return owner === undefined || exists(owner.uid)
      ? []
      : [{ namespace: shard.metadata.namespace ?? '', name: owner.name, uid: owner.uid }];
  });
  return [...new Map(owners.map((owner) => [owner.uid, owner])).values()];
}

/**
 * Removes what is left of the inventory of a Release that is gone; nothing where the Release still exists.
 * @returns how many shards there were
 */
export async function removeAbandoned(client: KubeClient, gone: GoneRelease): Promise<number> {
  const { namespace, name, uid } = gone;
  const labelSelector = labelSelectorText({ matchLabels: ownerLabels({ metadata: { name, namespace } }) });
  const { items } = await client.listAll(RESOURCES.ReleaseInventory, {
    namespace,
    labelSelector,
    metadataOnly: true,
  });
  const shards = items.filter((shard) => ownerOf(shard)?.uid === uid);
  if (shards.length === 0 || (await exists(client, { namespace, name, uid }))) return 0;
  // Before the inventory, by which they are found.
  await clearRenders(client, { metadata: { name, namespace, uid } });
  for (const { metadata } of shards)
    await removeOwn(client, RESOURCES.ReleaseInventory, { namespace, name: metadata.name });
  return shards.length;
}

async function exists(client: KubeClient, { namespace, name, uid }: GoneRelease): Promise<boolean> {
  try {
    const release = await client.get(RESOURCES.Release, { namespace, name });
    return release.metadata.uid === uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function ownerOf({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'Release');
}
