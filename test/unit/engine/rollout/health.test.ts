import { describe, expect, test } from 'vitest';
import { countsAsHealthy } from '../../../../engine/rollout/health.ts';
import { rollbackTarget } from '../../../../engine/rollout/target.ts';
import { ALL_HEALTHY, DEGRADED, healthOf, V1, V2 } from './support.ts';

describe('the render that counts as healthy (rollout.md, "lastHealthy")', () => {
  test.each([
    ['one whose objects are all Healthy for it', ALL_HEALTHY, true],
    ['none with an object that is Degraded', DEGRADED, false],
    ['none with an object that is on its way', healthOf(V2, { healthy: 3, progressing: 1 }), false],
    ['none with an object that is Unknown', healthOf(V2, { healthy: 3, unknown: 1 }), false],
    ['none with an object that has no state', healthOf(V2, { healthy: 3 }), false],
    ['none by the health of another render', healthOf(V1, { healthy: 4 }), false],
    ['none that nothing is known of', undefined, false],
  ] as const)('%s', (_, health, counts) => {
    expect(countsAsHealthy({ isAssessed: true, health }, V2)).toBe(counts);
  });

  test('without a healthAssessment every one, whatever is known of it', () => {
    for (const health of [undefined, DEGRADED, healthOf(V1, { degraded: 4 })])
      expect(countsAsHealthy({ isAssessed: false, health }, V2)).toBe(true);
  });
});

describe('what a rollback goes back to (rollout.md, "Rollback apply")', () => {
  test('the last healthy render', () => {
    expect(rollbackTarget(V1, V2)).toEqual({ renderRef: V1 });
  });

  test('nothing where no render was healthy', () => {
    expect(rollbackTarget(undefined, V2)).toHaveProperty(
      'none',
      expect.stringContaining('nothing to go back to'),
    );
  });

  test('never the render that failed', () => {
    expect(rollbackTarget(V2, V2)).toHaveProperty('none', expect.stringContaining('itself the last render'));
  });
});
