import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { Services } from '../services.ts';

/** A webhook configuration or APIService is in use from here on, and requests that go to it may fail. */
export function warnOfBackend(
  { events }: Services,
  release: Release,
  { key, backends }: PlannedObject,
): void {
  const services = backends.map(describe).join(', ');
  events.record({
    regarding: release,
    type: 'Warning',
    reason: 'BackendNotReady',
    action: 'Reconcile',
    message: `${describe(key)} is applied although no endpoint of ${services} is ready: look at its pods`,
  });
}
