import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject } from '../../api/object.ts';
import { isOwnedBy, isOwnedByAnother } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';

/**
 * Why the live object of an inventory entry may not be deleted (waves.md, "Delete waves"): never one that somebody made
 * anew, that another Release owns, or that says `prune: disabled`. What proves an object to be the Release's is the API
 * server's note that Convoy has set fields of it, and either its labels or the UID that the inventory knows. The inventory
 * alone is no proof: somebody may have edited it.
 * @returns undefined where it may
 */
export function reasonToLeave(
  live: KubeObject,
  release: Release,
  { uid = '' }: Pick<InventoryEntry, 'uid'>,
): string | undefined {
  if (live.metadata.uid === release.metadata.uid) return 'it is this Release itself';
  // It would take the Release with it, and wait for the Release, which waits for it.
  if (isHomeOf(live, release)) return 'this Release itself is in it';
  if (isOwnedByAnother(live, release)) return 'its labels name another Release';
  const isKnown = live.metadata.uid === uid;
  if (!isApplied(live) || !(isKnown || isOwnedBy(live, release))) return strangeness(isKnown, uid);
  if (live.metadata.annotations?.[PRUNE] === PRUNE_DISABLED)
    return `it is annotated ${PRUNE}: ${PRUNE_DISABLED}`;
  return undefined;
}

function strangeness(isKnown: boolean, uid: string): string {
  if (isKnown) return 'Convoy has never applied it';
  return uid === '' ? 'it was not applied by this Release' : 'it was deleted and made anew by somebody else';
}

function isHomeOf(live: KubeObject, { metadata, spec }: Release): boolean {
  const isNamespace = live.kind === 'Namespace' && live.apiVersion === 'v1';
  return isNamespace && spec.clusterRef === undefined && live.metadata.name === metadata.namespace;
}

/** The API server takes note of who set which field; whoever copies an object, labels and all, has the copy in their name. */
function isApplied({ metadata }: KubeObject): boolean {
  return (metadata.managedFields ?? []).some(({ manager }) => manager === FIELD_MANAGER);
}
