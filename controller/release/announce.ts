import type { Release, ReleaseStatus } from '../../api/release.ts';
import { releaseKey, type Services } from '../services.ts';
import { conditionOf } from './conditions.ts';

/** One event and one log line for each transition that a person would want to know of (operations.md). */
export function announce(services: Services, release: Release, status: ReleaseStatus): void {
  const before = conditionOf(release.status?.conditions, 'Ready');
  const after = conditionOf(status.conditions, 'Ready');
  if (after === undefined) return;
  const { reason, message } = after;
  const line = { release: releaseKey(release), render: status.lastAttempted?.renderRef, reason };
  if (before?.reason === reason && before.message === message) return;
  const calm = after.status === 'True' || reason === 'Suspended' || reason.startsWith('WaitingFor');
  services.log[calm ? 'info' : 'warn'](line, message);
  services.events.record({
    regarding: release,
    type: calm ? 'Normal' : 'Warning',
    reason,
    action: 'Reconcile',
    message,
  });
}
