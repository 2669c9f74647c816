import { formatDuration } from '../../api/duration.ts';
import { failByDeadline, failByWave } from './fail.ts';
import { judgeRollout } from './judge.ts';
import { type Rollout, rollsBack, type Situation } from './rollout.ts';

/** What a reconcile is to apply. */
export type Wanted =
  /** The render of this reconcile: of the source, or the pinned one. */
  | { what: 'render' }
  /** The last healthy render, in place of one that failed. */
  | { what: 'lastHealthy' }
  /** Nothing: a sync request has to come first. */
  | { what: 'nothing' };

export interface RolloutDecision {
  /** `status.rollout` from here on; undefined: there is none. */
  rollout: Rollout | undefined;
  apply: Wanted;
  /** When to look again whatever happens, milliseconds of the epoch; absent: events tell. */
  lookAt?: number;
}

/**
 * Decides about the rollout of a Release, before its render is applied and again after it (rollout.md). The same situation
 * gives the same decision, and a decision taken again on its own outcome changes nothing.
 */
export function decideRollout(situation: Situation): RolloutDecision {
  const settled = settle(open(situation), situation);
  return { ...settled, apply: wanted(settled.rollout, situation) };
}

/** Whether the decision depends on `target`, so that the render store has to be asked for it. */
export function asksForTarget(situation: Situation): boolean {
  const { isPinned, rollback, waveFailure } = situation;
  const rollout = open(situation);
  if (rollout === undefined || isPinned || !rollsBack(rollback) || rollout.state === 'RolledBack')
    return false;
  if (waveFailure === undefined) return judgeRollout(rollout, situation).outcome === 'failed';
  return rollback === 'OnWaveFailure' || isOverdue(rollout, situation);
}

/**
 * The render is applied for the first time: its deadline runs from here, so that what it waited for before does not use
 * it up.
 */
export function beginApply(rollout: Rollout, situation: Pick<Situation, 'deadlineMs' | 'now'>): Rollout {
  return rollout.state === 'Progressing' ? progressing(rollout.renderRef, situation) : rollout;
}

function open(situation: Situation): Rollout | undefined {
  const { rollback, before, isPinned, wasPinned, isForced, renderRef } = situation;
  if (rollback === undefined) return undefined;
  if (isPinned) return before;
  const isNew = before?.renderRef !== renderRef || isForced || wasPinned;
  return isNew ? progressing(renderRef, situation) : before;
}

type Settled = Pick<RolloutDecision, 'rollout' | 'lookAt'>;

function settle(rollout: Rollout | undefined, situation: Situation): Settled {
  const { isPinned, waveFailure, rollback, renderRef } = situation;
  if (isPinned) {
    if (waveFailure === undefined || rollback === undefined) return { rollout };
    const pinned = {
      ...progressing(renderRef, situation),
      ...(rollout?.renderRef === renderRef ? rollout : {}),
    };
    return { rollout: failByWave(pinned, waveFailure, situation) };
  }
  if (rollout === undefined) return { rollout };
  const isFailed = waveFailure !== undefined && rollout.state !== 'RolledBack';
  return settleByTime(isFailed ? failByWave(rollout, waveFailure, situation) : rollout, situation);
}

function settleByTime(rollout: Rollout, situation: Situation): Settled {
  const { outcome, lookAt } = judgeRollout(rollout, situation);
  if (outcome === 'failed') return { rollout: failByDeadline(rollout, situation) };
  if (outcome === 'succeeded') return { rollout: succeeded(rollout) };
  return { rollout, ...(lookAt === undefined ? {} : { lookAt }) };
}

/** A wave that fails late finds the deadline passed. */
function isOverdue(rollout: Rollout, situation: Situation): boolean {
  return judgeRollout({ ...rollout, state: 'Failed' }, situation).outcome === 'failed';
}

function wanted(rollout: Rollout | undefined, { isPinned, mode, isAuthorised }: Situation): Wanted {
  if (isPinned) return { what: 'render' };
  if (rollout?.state === 'RolledBack') return { what: 'lastHealthy' };
  return { what: mode === 'Manual' && !isAuthorised ? 'nothing' : 'render' };
}

function progressing(renderRef: string, { deadlineMs, now }: Pick<Situation, 'deadlineMs' | 'now'>): Rollout {
  const limit = deadlineMs === undefined ? '' : `, within ${formatDuration(deadlineMs)}`;
  return {
    state: 'Progressing',
    renderRef,
    startedAt: now,
    message: `waits for all objects to be healthy${limit}`,
  };
}

function succeeded(rollout: Rollout): Rollout {
  return { ...rollout, state: 'Succeeded', message: 'all objects became healthy' };
}
