import { describe, expect, test } from 'vitest';
import { onWaveFailure } from '../../../../engine/waves/failure.ts';

const can = { pinned: false, canRollBack: true };
const cannot = { pinned: false, canRollBack: false };
const pinned = { pinned: true, canRollBack: true };
const FAILED = { applied: 'RolloutFailed', rollout: 'Failed' };

describe('what a failed wave makes of the Release (waves.md, axis A, 8)', () => {
  test.each([
    ['no failurePolicy', undefined, can, { applied: 'WaveFailed' }],
    ['no failurePolicy, pinned', undefined, pinned, { applied: 'WaveFailed' }],
    ['Never', 'Never', can, FAILED],
    ['OnReleaseFailure', 'OnReleaseFailure', can, FAILED],
    ['OnWaveFailure', 'OnWaveFailure', can, { applied: 'RolledBack', rollout: 'RolledBack' }],
    ['OnWaveFailure, nothing to go back to', 'OnWaveFailure', cannot, FAILED],
    ['OnWaveFailure, pinned', 'OnWaveFailure', pinned, FAILED],
  ] as const)('%s', (_, rollback, circumstances, outcome) => {
    expect(onWaveFailure(rollback, circumstances)).toEqual(outcome);
  });
});
