import { expect, test } from 'vitest';
import { leaderKills } from '../faults/leaderKills.ts';

/** operations.md */
const TAKEOVER_SECONDS = 15;

test('a leader that is frozen, and one that is killed, is followed by the other one within 15 s, and one acts at a time', async () => {
  const plans = [
    { fault: 'freeze', after: 90, isLetGoEarly: false },
    { fault: 'kill', after: 70, isLetGoEarly: false },
  ] as const;
  const { takeovers, terms, usurped, repeated } = await leaderKills(plans, () => undefined);
  expect({ usurped, repeated }).toEqual({ usurped: [], repeated: [] });
  expect(terms.map(({ by }) => by)).toEqual(['candidate-0', 'candidate-1', 'candidate-0']);
  expect(terms.filter(({ wrote }) => wrote === undefined)).toEqual([]);
  console.log(`the next leader writes ${takeovers.map((s) => s.toFixed(1)).join(' and ')} s after each`);
  for (const seconds of takeovers) expect(seconds).toBeLessThan(TAKEOVER_SECONDS);
}, 180_000);
