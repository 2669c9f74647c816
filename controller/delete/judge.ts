import pMap from 'p-map';
import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject, ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { CONCURRENCY } from '../apply/wavePass.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey } from '../inventory/inventory.ts';
import { isOwnedBy, isOwnedByAnother } from '../ownership.ts';

/** A live object that may be deleted. */
export interface Deletable {
  key: ObjectKey;
  resource: ApiResource;
  live: KubeObject;
}

/** An inventory entry held against the cluster. */
export type Verdict =
  | { entry: InventoryEntry; verdict: 'gone' }
  /** Not ours to delete: left where it is and dropped from the inventory. */
  | { entry: InventoryEntry; verdict: 'left'; why: string }
  | { entry: InventoryEntry; verdict: 'delete'; resource: ApiResource; live: KubeObject };

/**
 * Looks at each entry's live object and says whether it may be deleted (waves.md, "Delete waves"): never one that
 * somebody made anew, that another Release owns, or that says `prune: disabled`.
 * @throws ApiError, ConnectionError, DiscoveryIncomplete: not knowing is never taken for absence
 */
export async function judge(
  cluster: TargetCluster,
  release: Release,
  entries: readonly InventoryEntry[],
  signal: AbortSignal,
): Promise<Verdict[]> {
  return await pMap(entries, (entry) => judgeOne(cluster, release, entry, signal), {
    concurrency: CONCURRENCY,
  });
}

async function judgeOne(
  cluster: TargetCluster,
  release: Release,
  entry: InventoryEntry,
  signal: AbortSignal,
): Promise<Verdict> {
  const resource = await cluster.discovery.resourceFor(entry.group, entry.kind);
  // The type itself is gone, and every object of it with it.
  if (resource === undefined) return { entry, verdict: 'gone' };
  const { namespace, name } = entryKey(entry);
  const live = await cluster.client.get(resource, { namespace, name }, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (live === undefined) return { entry, verdict: 'gone' };
  const why = reasonToLeave(live, release, entry);
  return why === undefined ? { entry, verdict: 'delete', resource, live } : { entry, verdict: 'left', why };
}

function reasonToLeave(live: KubeObject, release: Release, entry: InventoryEntry): string | undefined {
  if (isOwnedByAnother(live, release)) return 'its labels name another Release';
  const known = entry.uid ?? '';
  if (known !== '' && live.metadata.uid !== known) return 'it was deleted and made anew by somebody else';
  // Listed before an apply of which no answer was seen: only our labels tell that it reached the cluster.
  if (known === '' && !isOwnedBy(live, release)) return 'it was not applied by this Release';
  if (live.metadata.annotations?.[PRUNE] === PRUNE_DISABLED)
    return `it is annotated ${PRUNE}: ${PRUNE_DISABLED}`;
  return undefined;
}
