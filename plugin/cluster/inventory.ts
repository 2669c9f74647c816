import { RESOURCES } from '../../api/group.ts';
import type { InventoryEntry, ReleaseInventory } from '../../api/inventory.ts';
import type { Release } from '../../api/release.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';
import type { Session } from './session.ts';

/** What a Release holds, or why that cannot be read. */
export type InventoryView = readonly InventoryEntry[] | { unreadable: string };

/** Shards that are read of one Release: 10,000 objects fill 20. */
const MAX_SHARDS = 100;

/** The inventory of one Release. A page is worth having without it too, for those who may read the Release alone. */
export async function readInventory(session: Session, release: Release): Promise<InventoryView> {
  return await unlessRefused(async () => {
    const shards = Math.min(release.status?.inventory?.shards ?? 0, MAX_SHARDS);
    const lists = await Promise.all(
      Array.from({ length: shards }, (_, index) => readShard(session, release, index)),
    );
    return lists.flat();
  });
}

/**
 * The inventories of many Releases by one list.
 * @param namespace undefined: of all namespaces
 * @returns what each Release holds
 */
export async function listInventories(
  { client }: Session,
  namespace: string | undefined,
): Promise<(release: Release) => InventoryView> {
  const shards = await unlessRefused(async () => {
    const scope = namespace === undefined ? {} : { namespace };
    return (await client.listAll<ReleaseInventory>(RESOURCES.ReleaseInventory, scope)).items;
  });
  return 'unreadable' in shards ? () => shards : byRelease(shards);
}

/** Sorts shards by the Releases that their names tell, `<uid of the Release>-<n>`. */
export function byRelease(shards: Iterable<ReleaseInventory>): (release: Release) => InventoryEntry[] {
  const entries = new Map<string, InventoryEntry[]>();
  for (const { metadata, spec } of shards) {
    const uid = metadata.name.slice(0, metadata.name.lastIndexOf('-'));
    entries.set(uid, [...(entries.get(uid) ?? []), ...spec.entries]);
  }
  return ({ metadata }) => entries.get(metadata.uid ?? '') ?? [];
}

async function unlessRefused<T>(read: () => Promise<T>): Promise<T | { unreadable: string }> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { unreadable: error.serverMessage };
  }
}

/** A shard that went in the meantime lists nothing any more. */
async function readShard({ client }: Session, release: Release, index: number): Promise<InventoryEntry[]> {
  const { namespace = '', uid = '' } = release.metadata;
  try {
    const shard = await client.get<ReleaseInventory>(RESOURCES.ReleaseInventory, {
      namespace,
      name: `${uid}-${index}`,
    });
    return shard.spec.entries;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
