import type { Condition, Release, ReleaseStatus, RolloutStatus } from '../../api/release.ts';
import { announceHooks } from '../hooks/announceHooks.ts';
import { releaseKey, type Services } from '../services.ts';
import { conditionOf } from './conditions.ts';
import { DRIFTED } from './drift.ts';

/** One event and one log line for each transition that a person would want to know of (operations.md). */
export function announce(services: Services, release: Release, status: ReleaseStatus): void {
  announceRollout(services, release, status);
  announceHooks(services, release, status);
  announceDrift(services, release, status);
  const before = conditionOf(release.status?.conditions, 'Ready');
  const after = conditionOf(status.conditions, 'Ready');
  if (after === undefined) return;
  const { reason, message } = after;
  const line = { release: releaseKey(release), render: status.lastAttempted?.renderRef, reason };
  const calm = isCalm(after);
  if (before?.reason === reason && said(before, calm) === said(after, calm)) return;
  services.log[calm ? 'info' : 'warn'](line, message);
  // The event of the rollout, or of the hook, says the same.
  if (reason === 'RolledBack' || reason === 'HookFailed') return;
  services.events.record({
    regarding: release,
    type: calm ? 'Normal' : 'Warning',
    reason,
    action: 'Reconcile',
    message,
  });
}

type EndState = Exclude<RolloutStatus['state'], 'Progressing'>;

const ROLLOUT_EVENTS: Readonly<Record<EndState, { type: 'Normal' | 'Warning'; reason: string }>> = {
  Succeeded: { type: 'Normal', reason: 'RolloutSucceeded' },
  Failed: { type: 'Warning', reason: 'RolloutFailed' },
  RolledBack: { type: 'Warning', reason: 'RolledBack' },
};

/** How a rollout has ended, or ended otherwise than it had before. */
function announceRollout(
  { events, log, metrics }: Services,
  release: Release,
  { rollout: after }: ReleaseStatus,
): void {
  const before = release.status?.rollout;
  if (after === undefined || after.state === 'Progressing') return;
  const { state, renderRef, startedAt, message = '' } = after;
  const isSame = before?.renderRef === renderRef && before.startedAt === startedAt;
  if (isSame && before.state === state) return;
  const { type, reason } = ROLLOUT_EVENTS[state];
  metrics.rollouts.inc({ outcome: state });
  log[type === 'Normal' ? 'info' : 'warn'](
    { release: releaseKey(release), render: renderRef, reason },
    message,
  );
  events.record({
    regarding: release,
    type,
    reason,
    action: 'RollOut',
    message: `${message} (render ${renderRef})`,
  });
}

/** What differs from what was applied, where it is other than it was. */
function announceDrift({ events, log }: Services, release: Release, { conditions }: ReleaseStatus): void {
  const message = driftIn(conditions);
  if (message === undefined || message === driftIn(release.status?.conditions)) return;
  log.warn({ release: releaseKey(release) }, message);
  events.record({ regarding: release, type: 'Warning', reason: 'Drifted', action: 'Compare', message });
}

function driftIn(conditions: readonly Condition[] | undefined): string | undefined {
  const { message = '' } = conditionOf(conditions, 'Applied') ?? {};
  return message.split('\n').find((line) => line.startsWith(DRIFTED));
}

/** Nobody has to act: it is as it should be, or on its way. */
function isCalm({ status, reason }: Condition): boolean {
  return (
    status === 'True' || reason === 'Suspended' || reason === 'Progressing' || reason.startsWith('WaitingFor')
  );
}

/** Of what is on its way only the headline counts, if that: counts and objects change with every pod. */
function said({ reason, message: text }: Condition, calm: boolean): string {
  if (reason === 'Progressing') return '';
  const message = text
    .split('\n')
    .filter((line) => !line.startsWith(DRIFTED))
    .join('\n');
  return calm ? message.split(': ', 1).join('') : message;
}
