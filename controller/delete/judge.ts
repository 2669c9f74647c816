import pMap from 'p-map';
import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { CONCURRENCY } from '../apply/concurrency.ts';
import type { TargetCluster } from '../cluster.ts';
import { LiveObjects, type LiveObject } from './liveObjects.ts';
import { isOwnedBy, isOwnedByAnother } from '../ownership.ts';

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
  return why === undefined ? { entry, verdict: 'delete', ...found } : { entry, verdict: 'left', why };
}

function reasonToLeave(live: KubeObject, release: Release, entry: InventoryEntry): string | undefined {
  if (live.metadata.uid === release.metadata.uid) return 'it is this Release itself';
  // It would take the Release with it, and wait for the Release, which waits for it.
  if (isHomeOf(live, release)) return 'this Release itself is in it';
  if (isOwnedByAnother(live, release)) return 'its labels name another Release';
  const known = entry.uid ?? '';
  if (known !== '' && live.metadata.uid !== known) return 'it was deleted and made anew by somebody else';
  // Listed before an apply of which no answer was seen: only our labels tell that it reached the cluster.
  if (known === '' && !isOwnedBy(live, release)) return 'it was not applied by this Release';
  // The inventory alone is no proof: somebody may have edited it.
  if (!isOwnedBy(live, release) && !isApplied(live)) return 'Convoy has never applied it';
  if (live.metadata.annotations?.[PRUNE] === PRUNE_DISABLED)
    return `it is annotated ${PRUNE}: ${PRUNE_DISABLED}`;
  return undefined;
}

function isHomeOf(live: KubeObject, { metadata, spec }: Release): boolean {
  const isNamespace = live.kind === 'Namespace' && live.apiVersion === 'v1';
  return isNamespace && spec.clusterRef === undefined && live.metadata.name === metadata.namespace;
}

/** The API server has a note of who set which field, which stays when labels are changed. */
function isApplied({ metadata }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some(({ manager }) => manager === FIELD_MANAGER);
}
