import type { ReleaseSpec } from '../../api/release.ts';

type Rollback = NonNullable<NonNullable<ReleaseSpec['failurePolicy']>['rollback']>;

/** What a failed wave makes of the Release. */
export interface WaveFailure {
  /** Reason of the condition Applied. */
  applied: 'WaveFailed' | 'RolloutFailed' | 'RolledBack';
  /** State of the rollout; absent where there is none, or nothing changes it. */
  rollout?: 'Failed' | 'RolledBack';
}

/**
 * The failure table of waves.md, axis A, 8.
 * @param rollback `spec.failurePolicy.rollback` with its default; undefined where there is no failurePolicy
 * @param circumstances `pinned`: a pin is applied; `canRollBack`: there is another render that was healthy, and it is stored
 */
export function onWaveFailure(
  rollback: Rollback | undefined,
  { pinned, canRollBack }: { pinned: boolean; canRollBack: boolean },
): WaveFailure {
  if (rollback === undefined) return { applied: 'WaveFailed' };
  if (rollback === 'OnWaveFailure' && canRollBack && !pinned)
    return { applied: 'RolledBack', rollout: 'RolledBack' };
  return { applied: 'RolloutFailed', rollout: 'Failed' };
}
