import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject } from '../../api/object.ts';
import { isOwnedBy, isOwnedByAnother } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';

/**
 * Why the live object of an inventory entry may not be deleted (waves.md, "Delete waves"): never one that somebody made
 * anew, that another Release owns, or that says `prune: disabled`.
 * @returns undefined where it may
 */
export function reasonToLeave(
  live: KubeObject,
  release: Release,
  entry: Pick<InventoryEntry, 'uid'>,
): string | undefined {
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
