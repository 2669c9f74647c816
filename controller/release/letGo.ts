import { FORCE_FINALIZE } from '../../api/annotations.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { Obstacle } from '../delete/deleteObjects.ts';
import { entryKey } from '../inventory/inventory.ts';
import { releaseKey, type Services } from '../services.ts';

/** Objects that the event names before it only counts. */
const NAMED = 10;

/** The objects of the Release stay when it goes (`spec.syncPolicy.deletionPolicy`). */
export function isOrphaning({ spec }: Release): boolean {
  return spec.syncPolicy?.deletionPolicy === 'Orphan';
}

/** Somebody wants the Release gone, whatever stays behind (api.md, "Annotations"). */
export function isForced({ metadata }: Release): boolean {
  return metadata.annotations?.[FORCE_FINALIZE] === 'true';
}

/** The Release goes all the same: a registry that is away must hold up no deletion. */
export function tellRendersLeft({ events, log }: Services, release: Release, why: string): void {
  const message = `renders of the Release are left in the store: ${why}`;
  log.warn({ release: releaseKey(release) }, message);
  events.record({
    regarding: release,
    type: 'Warning',
    reason: 'RendersNotCollected',
    action: 'Store',
    message,
  });
}

/** Names what stays behind: from here on nobody knows any more that Convoy applied it. */
export function tellLeftBehind(
  { events, log }: Services,
  release: Release,
  entries: readonly InventoryEntry[],
  obstacle: Obstacle | undefined,
): void {
  const names = entries.slice(0, NAMED).map((entry) => describe(entryKey(entry)));
  const more = entries.length > NAMED ? `, and ${entries.length - NAMED} more` : '';
  const why = obstacle === undefined ? 'spec.syncPolicy.deletionPolicy is Orphan' : obstacle.message;
  const message = `left behind: ${names.join(', ')}${more}: ${why}`;
  log.warn({ release: releaseKey(release), objects: entries.length }, message);
  events.record({
    regarding: release,
    type: obstacle === undefined ? 'Normal' : 'Warning',
    reason: 'LeftBehind',
    action: 'Delete',
    message,
  });
}
