import { expect, test } from 'vitest';
import { CUTS, watchCuts } from '../faults/watchCuts.ts';

test('connections that are cut, frozen, refused or lost with the API server hold nothing up for long', async () => {
  const { cuts, longestMs, restarts, lists, wrong } = await watchCuts(
    { cuts: CUTS.length, seed: 7, kinds: CUTS },
    () => undefined,
  );
  expect(cuts).toHaveLength(CUTS.length);
  expect(wrong).toEqual([]);
  expect(longestMs).toBeLessThan(35_000);
  // One for each history that was lost, and one more where the API server was not all there when it was asked.
  for (const count of Object.values(lists)) expect(count).toBeLessThanOrEqual(2 * restarts);
}, 180_000);
