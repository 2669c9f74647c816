import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_MAX, ORDER_MIN, SYNC_STRATEGIES } from '../../../../api/annotations.ts';
import type { Place } from '../../../../engine/clusterWaves/place.ts';
import type { Standing } from '../../../../engine/clusterWaves/standing.ts';
import { judgeClusterWave } from '../../../../engine/clusterWaves/verdict.ts';
import { standing } from './support.ts';

const APPLIED: Place = { wave: 2, strategy: 'waitForApplied' };
const HEALTHY: Place = { wave: 2, strategy: 'waitForHealthy' };
const TIMED: Place = { wave: 2, strategy: 'waitForHealthyWithTimeout', limitMs: 1000 };
const NOT_HEALTHY = { isHealthy: false };
const NOT_APPLIED = { isApplied: false };

/** Names of those that are waited for. */
function awaited(place: Place, others: Standing[]): string[] {
  const verdict = judgeClusterWave(place, others, 0);
  return verdict.gate === 'open' ? [] : verdict.failing.map(({ name }) => name);
}

describe('whom a Release waits for (waves.md, axis B)', () => {
  test.each([
    ['1: nobody', APPLIED, [], []],
    [
      '1: all lower waves, not only the one before',
      APPLIED,
      [
        [0, NOT_APPLIED],
        [1, {}],
      ],
      ['0'],
    ],
    [
      '1: lower waves first',
      APPLIED,
      [
        [1, NOT_APPLIED],
        [-5, NOT_APPLIED],
      ],
      ['-5', '1'],
    ],
    ['1: no equal wave', HEALTHY, [[2, { ...NOT_APPLIED, ...NOT_HEALTHY }]], []],
    ['1: no higher wave', HEALTHY, [[3, { ...NOT_APPLIED, ...NOT_HEALTHY }]], []],
    ['2: waitForApplied does not look at health', APPLIED, [[0, NOT_HEALTHY]], []],
    ['2: waitForApplied needs Applied', APPLIED, [[0, NOT_APPLIED]], ['0']],
    ['2: waitForHealthy needs Healthy', HEALTHY, [[0, NOT_HEALTHY]], ['0']],
    ['2: and that alone', HEALTHY, [[0, NOT_APPLIED]], []],
    [
      '2: waitForHealthyWithTimeout too',
      TIMED,
      [
        [0, NOT_HEALTHY],
        [1, NOT_APPLIED],
      ],
      ['0'],
    ],
    [
      '2: on each of them',
      HEALTHY,
      [
        [0, {}],
        [1, NOT_HEALTHY],
      ],
      ['1'],
    ],
  ] as [string, Place, [number, Partial<Standing>][], string[]][])('%s', (_, place, others, names) => {
    const standings = others.map(([wave, changes]) => standing(String(wave), { wave, ...changes }));
    expect(awaited(place, standings)).toEqual(names);
  });
});

describe('how long it waits (waves.md, axis B, 4)', () => {
  const slow = standing('slow', { ...NOT_HEALTHY, changedAt: 5000 });
  const old = standing('old', { ...NOT_HEALTHY, changedAt: 100 });
  const fine = standing('fine', { changedAt: 9000 });

  test.each([
    ['before the limit', 5999, 'hold'],
    ['at the limit', 6000, 'failed'],
    ['long after it', 1e9, 'failed'],
  ])('the limit runs from the latest change among those that do not pass: %s', (_, now, gate) => {
    expect(judgeClusterWave(TIMED, [old, slow, fine], now)).toEqual({
      gate,
      failing: [old, slow],
      since: 5000,
      until: 6000,
    });
  });

  test.each([
    ['waitForHealthyWithTimeout without one', { wave: 2, strategy: 'waitForHealthyWithTimeout' } as const],
    ['waitForHealthy', HEALTHY],
  ])('without a limit it holds for ever: %s', (_, place) => {
    const verdict = judgeClusterWave(place, [old], 1e12);
    expect(verdict).toEqual({ gate: 'hold', failing: [old], since: 100 });
  });

  test('those that pass later open it', () => {
    expect(judgeClusterWave(TIMED, [standing('old', { changedAt: 100 }), fine], 1e9)).toEqual({
      gate: 'open',
    });
  });
});

describe('whatever Releases there are', () => {
  const wave = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: ORDER_MIN, max: ORDER_MAX }));
  const place: fc.Arbitrary<Place> = fc.record(
    { wave, strategy: fc.constantFrom(...SYNC_STRATEGIES), limitMs: fc.nat(1e6) },
    { requiredKeys: ['wave', 'strategy'] },
  );
  const release = fc.record({
    place,
    isApplied: fc.boolean(),
    isHealthy: fc.boolean(),
    changedAt: fc.nat(1e6),
  });
  const releases = fc
    .array(release, { maxLength: 12 })
    .map((all) => all.map((one, i) => ({ ...one, ...standing(`r${i}`, { ...one, wave: one.place.wave }) })));
  const now = fc.nat(2e6);

  test('one of them can go on: no two and no circle wait for one another', () => {
    fc.assert(
      fc.property(releases, now, (all, at) => {
        const stuck = all.filter((one) => !(one.isApplied && one.isHealthy));
        const free = stuck.filter((one) => judgeClusterWave(one.place, all, at).gate === 'open');
        expect(free.length > 0).toBe(stuck.length > 0);
      }),
    );
  });

  test('nobody waits for itself, nor for anybody who waits for it', () => {
    fc.assert(
      fc.property(releases, now, (all, at) => {
        const waitsFor = new Map(
          all.map((one) => {
            const verdict = judgeClusterWave(one.place, all, at);
            return [one.name, verdict.gate === 'open' ? [] : verdict.failing.map(({ name }) => name)];
          }),
        );
        for (const [name, others] of waitsFor) {
          expect(others).not.toContain(name);
          for (const other of others) expect(waitsFor.get(other)).not.toContain(name);
        }
      }),
    );
  });

  test('the order in which they are told does not matter', () => {
    fc.assert(
      fc.property(place, releases, now, (of, all, at) => {
        expect(judgeClusterWave(of, [...all].reverse(), at)).toEqual(judgeClusterWave(of, all, at));
      }),
    );
  });

  test('one more that passes changes nothing, and one more that does not closes it', () => {
    fc.assert(
      fc.property(place, releases, now, (of, all, at) => {
        fc.pre(of.wave > ORDER_MIN);
        const before = judgeClusterWave(of, all, at);
        const lower = { wave: of.wave - 1 };
        expect(judgeClusterWave(of, [...all, standing('more', lower)], at)).toEqual(before);
        const bad = standing('more', { ...lower, isApplied: false, isHealthy: false });
        expect(judgeClusterWave(of, [...all, bad], at).gate).not.toBe('open');
      }),
    );
  });

  test('it never fails without a limit, and never before it', () => {
    fc.assert(
      fc.property(place, releases, now, (of, all, at) => {
        const verdict = judgeClusterWave(of, all, at);
        if (verdict.gate === 'open') return;
        const { limitMs = Infinity } = of;
        expect(verdict.gate === 'failed').toBe(at >= verdict.since + limitMs);
        expect(verdict.since).toBe(Math.max(...verdict.failing.map(({ changedAt }) => changedAt)));
      }),
    );
  });
});
