import { describe, expect, it } from 'vitest';
import { SILENCE_MS, silenceMs, watchSeconds } from '../../../kube/watchTimes.ts';

const EARLIEST = (): number => 0;
const LATEST = (): number => 1 - Number.EPSILON;

describe('a watch', () => {
  it.each([
    [1, 15, 24],
    [75, 15, 24],
    [150, 30, 49],
    [1_000, 200, 333],
    [100_000, 300, 499],
  ])('of %d takes %d to %d seconds', (crowd, shortest, longest) => {
    expect(watchSeconds(EARLIEST, crowd)).toBe(shortest);
    expect(watchSeconds(LATEST, crowd)).toBe(longest);
  });

  it.each([1, 10, 100, 1_000])('of %d is one of at most five that begin in a second', (crowd) => {
    expect(crowd / watchSeconds(EARLIEST, crowd)).toBeLessThanOrEqual(5);
  });

  it('has the time to end before its silence means something', () => {
    for (const crowd of [1, 1_000]) {
      const seconds = watchSeconds(LATEST, crowd);
      expect(silenceMs(seconds)).toBeGreaterThan(seconds * 1_000);
    }
    expect(silenceMs(watchSeconds(LATEST))).toBeLessThanOrEqual(SILENCE_MS);
    expect(SILENCE_MS).toBeLessThan(35_000);
  });
});
