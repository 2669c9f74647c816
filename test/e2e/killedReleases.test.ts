import { expect, test } from 'vitest';
import { killedReleases } from '../faults/killedReleases.ts';

const KILLS = 6;
/** CONVOY_TEST_SEED repeats a run. */
const SEED = Number(process.env['CONVOY_TEST_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

test(`a controller that is killed while it applies, prunes and deletes ends where an undisturbed one does (CONVOY_TEST_SEED=${SEED})`, async () => {
  const { problems, kills, undisturbed } = await killedReleases(
    { kills: KILLS, seed: SEED },
    () => undefined,
  );
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(KILLS);
  expect(Object.keys(undisturbed.apply.state).length).toBeGreaterThan(40);
}, 600_000);
