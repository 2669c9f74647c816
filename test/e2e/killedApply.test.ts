import { describe, expect, test } from 'vitest';
import { killedApplies } from '../faults/killedApply.ts';
import { haveManifests } from '../support/manifests.ts';

describe.runIf(haveManifests())('a controller that is killed in the middle of an apply', () => {
  test('ends where an undisturbed one does, with a true inventory and nothing leaked', async () => {
    const { undisturbed, killed } = await killedApplies([0.35, 0.7], () => undefined);
    expect(undisturbed.untrue).toEqual([]);
    expect(undisturbed.live).toHaveLength(131);
    for (const { state, leaked } of killed) {
      expect(state).toEqual(undisturbed);
      expect(leaked).toEqual([]);
    }
  }, 600_000);
});
