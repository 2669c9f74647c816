import type { Condition, Release, ReleaseStatus } from '../../api/release.ts';
import { releaseKey, type Services } from '../services.ts';
import { conditionOf } from './conditions.ts';

/** One event and one log line for each transition that a person would want to know of (operations.md). */
export function announce(services: Services, release: Release, status: ReleaseStatus): void {
  const before = conditionOf(release.status?.conditions, 'Ready');
  const after = conditionOf(status.conditions, 'Ready');
  if (after === undefined) return;
  const { reason, message } = after;
  const line = { release: releaseKey(release), render: status.lastAttempted?.renderRef, reason };
  const calm = isCalm(after);
  if (before?.reason === reason && said(before, calm) === said(after, calm)) return;
  services.log[calm ? 'info' : 'warn'](line, message);
  services.events.record({
    regarding: release,
    type: calm ? 'Normal' : 'Warning',
    reason,
    action: 'Reconcile',
    message,
  });
}

/** Nobody has to act: it is as it should be, or on its way. */
function isCalm({ status, reason }: Condition): boolean {
  return (
    status === 'True' || reason === 'Suspended' || reason === 'Progressing' || reason.startsWith('WaitingFor')
  );
}

/** Of what is on its way only the headline counts, if that: counts and objects change with every pod. */
function said({ reason, message }: Condition, calm: boolean): string {
  if (reason === 'Progressing') return '';
  return calm ? message.split(': ', 1).join('') : message;
}
