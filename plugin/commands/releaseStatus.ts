import { RESOURCES } from '../../api/group.ts';
import type { InventoryEntry, ReleaseInventory } from '../../api/inventory.ts';
import type { Release } from '../../api/release.ts';
import { ApiError, isNotFound } from '../../kube/errors.ts';
import { textOf } from '../cli/io.ts';
import { isDataOutput, objectText } from '../cli/printObjects.ts';
import { withSession, type Session } from '../cluster/session.ts';
import { releasePage, type ReleasePageOptions } from '../views/releasePage.ts';
import type { Command } from './command.ts';
import { getRelease } from './getRelease.ts';

/** `release status NAME`: one page about a Release. */
export const releaseStatus: Command = async ({ flags, name = '', io, paint, width }) => {
  const { output } = flags;
  const text = await withSession(flags, io.env, async (session) => {
    const release = await getRelease(session, name);
    if (isDataOutput(output)) return await objectText(release, output);
    const inventory = await readInventory(session, release);
    return textOf(releasePage(release, { now: io.now(), width, paint, inventory, wide: output === 'wide' }));
  });
  io.stdout.write(text);
  return 0;
};

/** Shards that one page reads: 10,000 objects fill 20. */
const MAX_SHARDS = 100;

/** The page is worth having without the objects too, for those who may read the Release alone. */
async function readInventory(session: Session, release: Release): Promise<ReleasePageOptions['inventory']> {
  try {
    const shards = Math.min(release.status?.inventory?.shards ?? 0, MAX_SHARDS);
    const lists = await Promise.all(
      Array.from({ length: shards }, (_, index) => readShard(session, release, index)),
    );
    return lists.flat();
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
