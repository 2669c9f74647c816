import { allHealthy, anyUnhealthy } from './health.ts';
import { type Rollout, rollsBack, type Situation } from './rollout.ts';

/** How often a rollout that progresses is looked at, whatever events say (rollout.md, "States"; ms). */
const LOOK_EVERY_MS = 10_000;

export interface RolloutVerdict {
  outcome: 'waits' | 'succeeded' | 'failed';
  /** When to look again whatever happens, milliseconds of the epoch; absent: events tell. */
  lookAt?: number;
}

/**
 * What health and time make of a rollout (rollout.md, "States"). Progressing is decided; Failed turns when all objects become
 * healthy later, and a failed wave still becomes a rollback when the deadline passes; Succeeded and RolledBack stay.
 */
export function judgeRollout(
  { state, renderRef, startedAt }: Rollout,
  { health, deadlineMs, rollback, now }: Pick<Situation, 'health' | 'deadlineMs' | 'rollback' | 'now'>,
): RolloutVerdict {
  if (state === 'Succeeded' || state === 'RolledBack') return { outcome: 'waits' };
  if (allHealthy(health, renderRef)) return { outcome: 'succeeded' };
  const isOpen = state === 'Progressing' || rollsBack(rollback);
  const deadline = deadlineMs === undefined || !isOpen ? Infinity : startedAt + deadlineMs;
  if (now >= deadline && anyUnhealthy(health, renderRef)) return { outcome: 'failed' };
  const lookAt = Math.min(
    now < deadline ? deadline : Infinity,
    state === 'Progressing' ? now + LOOK_EVERY_MS : Infinity,
  );
  return { outcome: 'waits', ...(lookAt === Infinity ? {} : { lookAt }) };
}
