import pMap from 'p-map';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { reasonToLeave } from '../../engine/plan/leave.ts';
import { CONCURRENCY } from '../apply/concurrency.ts';
import type { TargetCluster } from '../cluster.ts';
import { LiveObjects, type LiveObject } from './liveObjects.ts';
import { outlineOf } from './outline.ts';

/** A live object that may be deleted. */
export interface Deletable extends LiveObject {
  key: ObjectKey;
}

/** An inventory entry held against the cluster. */
export type Verdict =
  | { entry: InventoryEntry; verdict: 'gone' }
  /** It is known under another key too, since its type has moved to another API group. */
  | { entry: InventoryEntry; verdict: 'moved' }
  /** Not ours to delete: left where it is and dropped from the inventory. */
  | { entry: InventoryEntry; verdict: 'left'; why: string }
  | ({ entry: InventoryEntry; verdict: 'delete' } & LiveObject);

/**
 * Looks at each entry's live object and says whether it may be deleted (waves.md, "Delete waves"): never one that
 * somebody made anew, that another Release owns, or that says `prune: disabled`.
 * @param kept UIDs of objects that stay
 * @throws ApiError, ConnectionError, DiscoveryIncomplete: not knowing is never taken for absence
 */
export async function judge(
  cluster: TargetCluster,
  release: Release,
  entries: readonly InventoryEntry[],
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Verdict[]> {
  const objects = new LiveObjects(cluster, signal);
  const judgeOne = async (entry: InventoryEntry): Promise<Verdict> => {
    const found = await objects.find(entry);
    return found !== undefined && kept.has(found.live.metadata.uid ?? '')
      ? { entry, verdict: 'moved' }
      : verdictOf(found, release, entry);
  };
  return await pMap(entries, judgeOne, { concurrency: CONCURRENCY });
}

function verdictOf(found: LiveObject | undefined, release: Release, entry: InventoryEntry): Verdict {
  if (found === undefined) return { entry, verdict: 'gone' };
  const why = reasonToLeave(found.live, release, entry);
  if (why !== undefined) return { entry, verdict: 'left', why };
  return { entry, verdict: 'delete', resource: found.resource, live: outlineOf(found.live) };
}
