import { SYNC } from '../../api/annotations.ts';
import type { Release } from '../../api/release.ts';
import type { Services } from '../services.ts';

/** A sync request that cannot be read has no id to answer under, so an event says what is wrong with it. */
export function warnOfRequest({ events }: Services, release: Release, problem: string): void {
  events.record({
    regarding: release,
    type: 'Warning',
    reason: 'SyncRequestInvalid',
    action: 'Reconcile',
    message: `annotation ${SYNC}: ${problem}`,
  });
}
