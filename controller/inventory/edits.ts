import { FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { type ManagedFields, managedFieldsOf } from '../../engine/drift/mark.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { type InventoryOwner, ownerOf } from './abandoned.ts';

/** What is kept of an inventory: its entries never come here. */
interface SeenShard extends KubeObject {
  owner: InventoryOwner | undefined;
  isEdited: boolean;
}

/**
 * Watches for inventories that somebody else edits or deletes, so that each is put right before anything relies on it.
 * @param onEdit told of the Release whose inventory it is; may be told of Convoy's own deletions too
 */
export function watchForEdits(
  client: KubeClient,
  onEdit: (owner: InventoryOwner) => void,
  onFault: (fault: ReflectorFault) => void,
): Reflector<KubeObject> {
  const scope = { metadataOnly: true };
  const watch = new Reflector(listWatchOf(client, RESOURCES.ReleaseInventory, scope), {
    onFault,
    transform: seen,
  });
  const tell = (shard: KubeObject): void => {
    const { owner } = shard as SeenShard;
    if (owner !== undefined) onEdit(owner);
  };
  const tellIfEdited = (shard: KubeObject): void => {
    if ((shard as SeenShard).isEdited) tell(shard);
  };
  watch.addHandler({ onAdd: tellIfEdited, onUpdate: tellIfEdited, onDelete: tell });
  return watch;
}

function seen(shard: KubeObject): SeenShard {
  const { apiVersion, kind, metadata } = shard;
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    owner: ownerOf(shard),
    isEdited: !managedFieldsOf(shard).some(wroteEntries),
  };
}

/** The list is one field: whoever changes it takes it from Convoy. */
function wroteEntries({ manager, fieldsV1 = {} }: ManagedFields): boolean {
  return manager === FIELD_MANAGER && 'f:entries' in (fieldsV1['f:spec'] ?? {});
}
