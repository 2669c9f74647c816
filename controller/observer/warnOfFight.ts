import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { releaseKey, type Services } from '../services.ts';
import type { TrackedObject } from './trackedObject.ts';

/** Tells who changes again and again what the Release applies, and what to do. */
export function warnOfFight(
  { events, log }: Pick<Services, 'events' | 'log'>,
  release: Release,
  { key, editor }: Pick<TrackedObject, 'key' | 'editor'>,
): void {
  const who = editor === '' ? 'somebody' : `the field manager ${editor}`;
  const message =
    `${describe(key)}: ${who} changes again and again what this Release applies; it is put right once a second at most` +
    ' – take the field out of the source, or stop the other writer';
  log.warn({ release: releaseKey(release) }, message);
  events.record({ regarding: release, type: 'Warning', reason: 'Contested', action: 'Reconcile', message });
}
