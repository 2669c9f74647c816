import { formatDuration } from '../../api/duration.ts';
import { onWaveFailure } from '../waves/failure.ts';
import { type Rollout, rollsBack, type Situation } from './rollout.ts';

/**
 * The deadline has passed: RolledBack where the policy rolls back and there is a render to go back to, else Failed
 * (rollout.md, "States"). One that failed before and cannot go back stays as it is.
 */
export function failByDeadline(rollout: Rollout, situation: Situation): Rollout {
  const { rollback, deadlineMs = 0, target, health } = situation;
  const canRollBack = rollsBack(rollback) && 'renderRef' in target;
  if (rollout.state === 'Failed' && !canRollBack) return rollout;
  const headline = `release did not become healthy within ${formatDuration(deadlineMs)}`;
  return ended(rollout, canRollBack, { headline, details: health?.unhealthy ?? '', situation });
}

/** A wave has failed (waves.md, axis A, 8), also one of a rollout that had succeeded. One that failed before keeps what it says. */
export function failByWave(rollout: Rollout, waveFailure: string, situation: Situation): Rollout {
  const { rollback, isPinned, target } = situation;
  const circumstances = { pinned: isPinned, canRollBack: 'renderRef' in target };
  const { rollout: state } = onWaveFailure(rollback, circumstances);
  if (state === undefined || state === rollout.state) return rollout;
  const said = { headline: 'a wave failed', details: waveFailure, situation };
  return ended(rollout, state === 'RolledBack', said);
}

interface Said {
  headline: string;
  /** Second line; may be empty. */
  details: string;
  situation: Situation;
}

function ended(rollout: Rollout, isRolledBack: boolean, { headline, details, situation }: Said): Rollout {
  const message = `${headline}; ${consequence(isRolledBack, situation)}${details === '' ? '' : `\n${details}`}`;
  return { ...rollout, state: isRolledBack ? 'RolledBack' : 'Failed', message };
}

function consequence(isRolledBack: boolean, { rollback, isPinned, target, waveFailure }: Situation): string {
  if (isRolledBack) return `rolled back to ${'renderRef' in target ? target.renderRef : ''}`;
  if (isPinned) return 'it is not rolled back, since it is pinned';
  if (!rollsBack(rollback)) return 'it is not rolled back, since spec.failurePolicy.rollback is Never';
  if ('none' in target) return `it is not rolled back: ${target.none}`;
  return waveFailure === undefined
    ? 'it is not rolled back'
    : 'it is rolled back when it is not healthy by its deadline';
}
