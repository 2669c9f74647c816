import { describe, expect, test } from 'vitest';
import { asksForTarget, beginApply, decideRollout } from '../../../../engine/rollout/decide.ts';
import type { Situation } from '../../../../engine/rollout/rollout.ts';
import {
  ALL_HEALTHY,
  DEADLINE,
  DEGRADED,
  healthOf,
  NOW,
  rolloutOf,
  situationOf,
  summary,
  V1,
  V2,
  V3,
} from './support.ts';

type Row = readonly [what: string, changes: Partial<Situation>, outcome: string];

const early = { now: NOW - 1 };
const none = { none: 'no render of this Release was healthy before, so there is nothing to go back to' };
const rolledBack = { before: rolloutOf('RolledBack') };
const failed = { before: rolloutOf('Failed') };
const succeeded = { before: rolloutOf('Succeeded') };

const rows = (table: readonly Row[]): void => {
  test.each(table)('%s', (_, changes, outcome) => {
    expect(summary(decideRollout(situationOf(changes)))).toBe(outcome);
  });
};

describe('a rollout opens (rollout.md, "States")', () => {
  rows([
    ['with the first render', { before: undefined, lastHealthy: undefined }, 'Progressing, render'],
    ['with a new render', { renderRef: V3 }, 'Progressing, render'],
    ['with a new render after a rollback', { ...rolledBack, renderRef: V3 }, 'Progressing, render'],
    ['with a new render after a failure', { ...failed, renderRef: V3 }, 'Progressing, render'],
    ['with a new render after a success', { ...succeeded, renderRef: V3 }, 'Progressing, render'],
    ['with a forced sync of the same render', { ...succeeded, isForced: true }, 'Progressing, render'],
    ['with a forced sync after a rollback', { ...rolledBack, isForced: true }, 'Progressing, render'],
    ['with a forced sync after a failure', { ...failed, isForced: true }, 'Progressing, render'],
    ['not without a failurePolicy', { rollback: undefined, before: undefined }, 'none, render'],
  ]);

  test('its clock starts now', () => {
    const { rollout } = decideRollout(situationOf({ renderRef: V3 }));
    expect(rollout).toEqual({
      state: 'Progressing',
      renderRef: V3,
      startedAt: NOW,
      message: 'waits for all objects to be healthy, within 5m0s',
    });
  });

  test('and again at the first apply of the render', () => {
    const waited = rolloutOf('Progressing', { startedAt: NOW - 10 * DEADLINE });
    expect(beginApply(waited, { deadlineMs: DEADLINE, now: NOW }).startedAt).toBe(NOW);
  });

  test('no apply starts the clock of one that has ended', () => {
    for (const state of ['Succeeded', 'Failed', 'RolledBack'] as const)
      expect(beginApply(rolloutOf(state), { deadlineMs: DEADLINE, now: NOW })).toEqual(rolloutOf(state));
  });

  test('the same render does not start it again', () => {
    const before = rolloutOf('Progressing');
    expect(decideRollout(situationOf({ before, ...early })).rollout).toEqual(before);
  });
});

describe('a rollout that progresses (rollout.md, "States")', () => {
  rows([
    ['succeeds when every object is Healthy', { health: ALL_HEALTHY, ...early }, 'Succeeded, render'],
    ['succeeds also after its deadline', { health: ALL_HEALTHY }, 'Succeeded, render'],
    ['succeeds without objects', { health: healthOf(V2, { missing: 0 }), ...early }, 'Succeeded, render'],
    ['waits for one that has no state', { health: healthOf(V2, { healthy: 3 }) }, 'Progressing, render'],
    ['waits before its deadline', { health: DEGRADED, ...early }, 'Progressing, render'],
    ['fails at its deadline', { health: DEGRADED }, 'RolledBack, lastHealthy'],
    [
      'fails over one that progresses',
      { health: healthOf(V2, { progressing: 1 }) },
      'RolledBack, lastHealthy',
    ],
    [
      'never fails over what is Unknown',
      { health: healthOf(V2, { healthy: 3, unknown: 1 }) },
      'Progressing, render',
    ],
    ['never fails over what is not applied', { health: healthOf(V2, { missing: 4 }) }, 'Progressing, render'],
    ['never fails without a deadline', { health: DEGRADED, deadlineMs: undefined }, 'Progressing, render'],
    ['does not fail while nothing is assessed', {}, 'Progressing, render'],
    [
      'does not fail by the health of another render',
      { health: healthOf(V1, { degraded: 4 }) },
      'Progressing, render',
    ],
    [
      'does not succeed by the health of another render',
      { health: healthOf(V1, { healthy: 4 }) },
      'Progressing, render',
    ],
    ['never becomes Succeeded by time', { now: NOW + 100 * DEADLINE }, 'Progressing, render'],
  ]);
});

describe('what becomes of a rollout that failed, by policy (rollout.md, "States")', () => {
  const wave = { waveFailure: 'wave 0 did not become healthy within 30s', health: DEGRADED, ...early };
  rows([
    ['Never: at the deadline', { rollback: 'Never', health: DEGRADED }, 'Failed, render'],
    ['Never: by a wave', { rollback: 'Never', ...wave }, 'Failed, render'],
    ['OnReleaseFailure: at the deadline', { health: DEGRADED }, 'RolledBack, lastHealthy'],
    ['OnReleaseFailure: by a wave', wave, 'Failed, render'],
    ['OnReleaseFailure: by a wave, at the deadline', { ...wave, now: NOW }, 'RolledBack, lastHealthy'],
    [
      'OnReleaseFailure: failed by a wave, at the deadline',
      { ...failed, health: DEGRADED },
      'RolledBack, lastHealthy',
    ],
    [
      'OnReleaseFailure: failed by a wave, before it',
      { ...failed, health: DEGRADED, ...early },
      'Failed, render',
    ],
    [
      'OnWaveFailure: at the deadline',
      { rollback: 'OnWaveFailure', health: DEGRADED },
      'RolledBack, lastHealthy',
    ],
    ['OnWaveFailure: by a wave', { rollback: 'OnWaveFailure', ...wave }, 'RolledBack, lastHealthy'],
    [
      'OnWaveFailure: by a wave, and nothing to go back to',
      { rollback: 'OnWaveFailure', ...wave, target: none },
      'Failed, render',
    ],
    [
      'OnWaveFailure: by a wave after it had succeeded',
      { rollback: 'OnWaveFailure', ...succeeded, ...wave },
      'RolledBack, lastHealthy',
    ],
    ['OnReleaseFailure: by a wave after it had succeeded', { ...succeeded, ...wave }, 'Failed, render'],
    ['no policy: by a wave', { rollback: undefined, before: undefined, ...wave }, 'none, render'],
    ['at the deadline, and nothing to go back to', { health: DEGRADED, target: none }, 'Failed, render'],
    ['failed, and nothing to go back to', { ...failed, health: DEGRADED, target: none }, 'Failed, render'],
    [
      'failed under Never, at the deadline',
      { rollback: 'Never', ...failed, health: DEGRADED },
      'Failed, render',
    ],
  ]);
});

describe('a rollout that has ended (rollout.md, "States")', () => {
  rows([
    [
      'Failed turns to Succeeded when all are healthy',
      { ...failed, health: ALL_HEALTHY },
      'Succeeded, render',
    ],
    [
      'Failed does not, by the health of another render',
      { ...failed, rollback: 'Never', health: healthOf(V1, { healthy: 4 }) },
      'Failed, render',
    ],
    ['Succeeded stays when objects degrade', { ...succeeded, health: DEGRADED }, 'Succeeded, render'],
    ['RolledBack stays', rolledBack, 'RolledBack, lastHealthy'],
    [
      'RolledBack stays when all are healthy',
      { ...rolledBack, health: ALL_HEALTHY },
      'RolledBack, lastHealthy',
    ],
    ['RolledBack stays when objects degrade', { ...rolledBack, health: DEGRADED }, 'RolledBack, lastHealthy'],
    ['RolledBack stays under Never', { ...rolledBack, rollback: 'Never' }, 'RolledBack, lastHealthy'],
    [
      'RolledBack stays where a wave failed',
      { ...rolledBack, rollback: 'OnWaveFailure', waveFailure: 'wave 0' },
      'RolledBack, lastHealthy',
    ],
    [
      'RolledBack stays by a request that is not forced',
      { ...rolledBack, isAuthorised: true },
      'RolledBack, lastHealthy',
    ],
    ['it goes with the policy', { ...rolledBack, rollback: undefined }, 'none, render'],
  ]);

  test('what failed before says the same later', () => {
    const before = rolloutOf('Failed', { message: 'a wave failed' });
    const waveFailure = 'wave 0 did not become healthy within 30s';
    const again = situationOf({ before, waveFailure, health: DEGRADED, target: none });
    expect(decideRollout(again).rollout).toEqual(before);
  });
});

describe('manual mode (rollout.md)', () => {
  const mode = { mode: 'Manual' } as const;
  rows([
    [
      'a new render opens a rollout while the apply waits',
      { ...mode, renderRef: V3 },
      'Progressing, nothing',
    ],
    [
      'it is applied when a request asks for it',
      { ...mode, renderRef: V3, isAuthorised: true },
      'Progressing, render',
    ],
    ['it is rolled back without a request', { ...mode, health: DEGRADED }, 'RolledBack, lastHealthy'],
    [
      'RolledBack applies lastHealthy without a request',
      { ...mode, ...rolledBack },
      'RolledBack, lastHealthy',
    ],
    ['it succeeds without a request', { ...mode, health: ALL_HEALTHY }, 'Succeeded, nothing'],
    [
      'without a policy the apply waits too',
      { ...mode, rollback: undefined, before: undefined },
      'none, nothing',
    ],
    ['a pin needs no request', { ...mode, isPinned: true }, 'Progressing, render'],
  ]);
});

describe('pins (rollout.md, "Pins and history")', () => {
  const pinned = { isPinned: true, renderRef: V1 } as const;
  const waveFailure = 'wave 0 did not become healthy within 30s';
  rows([
    ['a pin stops the deadline', { ...pinned, health: healthOf(V1, { degraded: 4 }) }, 'Progressing, render'],
    ['a pin to the render at work stops it too', { isPinned: true, health: DEGRADED }, 'Progressing, render'],
    ['a pin stops success', { isPinned: true, health: ALL_HEALTHY }, 'Progressing, render'],
    ['a pin opens no rollout', { ...pinned, before: undefined }, 'none, render'],
    ['a forced sync opens none either', { ...pinned, ...succeeded, isForced: true }, 'Succeeded, render'],
    ['a pin ends a rollback', { ...pinned, ...rolledBack }, 'RolledBack, render'],
    [
      'a failed wave counts as OnReleaseFailure',
      { ...pinned, rollback: 'OnWaveFailure', waveFailure },
      'Failed, render',
    ],
    ['also after a rollback', { ...pinned, ...rolledBack, waveFailure }, 'Failed, render'],
    ['also where there was no rollout', { ...pinned, before: undefined, waveFailure }, 'Failed, render'],
    [
      'nothing without a policy',
      { ...pinned, rollback: undefined, before: undefined, waveFailure },
      'none, render',
    ],
    ['unpinned, the current render is new', { ...succeeded, wasPinned: true }, 'Progressing, render'],
    ['also where it was rolled back', { ...rolledBack, wasPinned: true }, 'Progressing, render'],
  ]);

  test('a wave that failed while pinned is told of the pinned render', () => {
    const { rollout } = decideRollout(situationOf({ ...pinned, ...rolledBack, waveFailure }));
    expect(rollout).toMatchObject({ renderRef: V1, startedAt: NOW });
    expect(rollout?.message).toBe(`a wave failed; it is not rolled back, since it is pinned\n${waveFailure}`);
  });
});

describe('what a rollout says', () => {
  const said = (changes: Partial<Situation>): string | undefined =>
    decideRollout(situationOf({ health: DEGRADED, ...changes })).rollout?.message;
  const unhealthy = 'apps/Deployment web in shop (Degraded: it crashes)';

  test('a rollback: the deadline, where it went back to, and what was not healthy', () => {
    expect(said({})).toBe(`release did not become healthy within 5m0s; rolled back to ${V1}\n${unhealthy}`);
  });

  test('a failure says why nothing is rolled back', () => {
    const start = 'release did not become healthy within 5m0s; it is not rolled back';
    expect(said({ rollback: 'Never' })).toBe(
      `${start}, since spec.failurePolicy.rollback is Never\n${unhealthy}`,
    );
    expect(said({ target: none })).toBe(`${start}: ${none.none}\n${unhealthy}`);
  });

  test('a failed wave that may yet be rolled back says when', () => {
    expect(said({ ...early, waveFailure: 'wave 0 is late' })).toBe(
      'a wave failed; it is rolled back when it is not healthy by its deadline\nwave 0 is late',
    );
  });

  test('a success', () => {
    expect(said({ health: ALL_HEALTHY })).toBe('all objects became healthy');
  });
});

describe('when to look again (rollout.md, "States")', () => {
  const lookIn = (changes: Partial<Situation>): number | undefined => {
    const { now, ...others } = situationOf(changes);
    const { lookAt } = decideRollout({ now, ...others });
    return lookAt === undefined ? undefined : lookAt - now;
  };

  test.each<readonly [string, Partial<Situation>, number | undefined]>([
    ['while it progresses, every 10 s', { renderRef: V3 }, 10_000],
    ['at its deadline', { now: NOW - 4000, health: DEGRADED }, 4000],
    ['every 10 s after it', { now: NOW + 1000 }, 10_000],
    ['every 10 s without a deadline', { deadlineMs: undefined }, 10_000],
    ['failed by a wave: at the deadline', { ...failed, now: NOW - 40_000, health: DEGRADED }, 40_000],
    [
      'failed by a wave, without rollback: events tell',
      { ...failed, rollback: 'Never', ...early },
      undefined,
    ],
    ['failed: events tell', { ...failed, health: DEGRADED, target: none }, undefined],
    ['succeeded: events tell', succeeded, undefined],
    ['rolled back: events tell', rolledBack, undefined],
    ['pinned: events tell', { isPinned: true }, undefined],
  ])('%s', (_, changes, ms) => {
    expect(lookIn(changes)).toBe(ms);
  });
});

describe('the render store is asked for what a rollback goes back to', () => {
  test.each<readonly [string, Partial<Situation>, boolean]>([
    ['when the deadline decides', { health: DEGRADED }, true],
    ['when a wave decides', { rollback: 'OnWaveFailure', waveFailure: 'x', ...early }, true],
    ['when a wave fails after the deadline', { waveFailure: 'x', health: DEGRADED }, true],
    ['not when a wave fails before it', { waveFailure: 'x', health: DEGRADED, ...early }, false],
    ['not before the deadline', { health: DEGRADED, ...early }, false],
    ['not where nothing is rolled back', { rollback: 'Never', health: DEGRADED }, false],
    ['not without a policy', { rollback: undefined, health: DEGRADED }, false],
    ['not while pinned', { isPinned: true, rollback: 'OnWaveFailure', waveFailure: 'x' }, false],
    ['not for a new render', { renderRef: V3, health: healthOf(V3, { degraded: 4 }) }, false],
    ['not after a rollback', { ...rolledBack, health: DEGRADED }, false],
    ['not when all is healthy', { health: ALL_HEALTHY }, false],
  ])('%s', (_, changes, asks) => {
    expect(asksForTarget(situationOf(changes))).toBe(asks);
  });
});
