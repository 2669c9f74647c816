import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOOK_PHASES } from '../../../../api/annotations.ts';
import type { HookStatus, HookSync } from '../../../../api/release.ts';
import {
  beginFailure,
  beginSync,
  type HookRecord,
  isFailing,
  isNewSync,
  nextHook,
  pass,
  skipPending,
  skipRemoved,
  waveMended,
  withHook,
} from '../../../../engine/hooks/sync.ts';
import { hookOf, OTHER, RENDER, statusOf } from './support.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const SYNC: HookSync = { renderRef: RENDER, startedAt: NOW };

describe('a sync', () => {
  const wanted = { renderRef: RENDER, request: undefined, lastSuccessful: RENDER, isUnpinned: false };
  test.each([
    ['drift of a render without hooks so far', undefined, {}, false],
    ['the first render', undefined, { lastSuccessful: undefined }, true],
    ['another render', undefined, { lastSuccessful: OTHER }, true],
    ['a request', undefined, { request: 'one' }, true],
    ['drift of a render with hooks', SYNC, {}, false],
    ['a render that was not applied yet', SYNC, { lastSuccessful: OTHER }, false],
    ['another render than the last sync', { ...SYNC, renderRef: OTHER }, {}, true],
    ['a request after it', SYNC, { request: 'one' }, true],
    ['the request that it goes back to', { ...SYNC, request: 'one' }, { request: 'one' }, false],
    ['the end of that request', { ...SYNC, request: 'one' }, {}, false],
    ['the next request', { ...SYNC, request: 'one' }, { request: 'two' }, true],
    ['the end of the one before', { ...SYNC, ended: true }, {}, true],
    ['the end of a pin', SYNC, { isUnpinned: true }, true],
  ])('%s', (_, recorded, change, isNew) => {
    expect(isNewSync(recorded, { ...wanted, ...change })).toBe(isNew);
  });

  test('begins with all its hooks pending, and leaves no trace where there are none', () => {
    const hooks = [hookOf('preSync', 'a'), hookOf('syncFailed', 'b')];
    expect(beginSync(hooks, { renderRef: RENDER, request: 'one' }, NOW)).toEqual({
      sync: { renderRef: RENDER, request: 'one', startedAt: NOW },
      hooks: [statusOf('preSync', 'a', 'Pending'), statusOf('syncFailed', 'b', 'Pending')],
    });
    expect(beginSync([], { renderRef: RENDER, request: undefined }, NOW)).toEqual({
      sync: undefined,
      hooks: [],
    });
  });
});

describe('the next hook of a phase', () => {
  const hooks = [
    hookOf('preSync', 'a'),
    hookOf('preSync', 'b', { isRequired: false }),
    hookOf('preSync', 'c'),
  ];
  const next = (...states: HookStatus['state'][]) => {
    const statuses = states.map((state, index) => statusOf('preSync', 'abc'.charAt(index), state));
    const due = nextHook(
      { sync: SYNC, hooks: [statusOf('postSync', 'z', 'Running'), ...statuses] },
      hooks,
      'preSync',
    );
    return due.next === 'passed' ? due.next : `${due.next} ${due.status.name}`;
  };
  test.each([
    [['Pending', 'Pending', 'Pending'], 'start a'],
    [['Running', 'Pending', 'Pending'], 'wait a'],
    [['Succeeded', 'Pending', 'Pending'], 'start b'],
    [['Succeeded', 'Failed', 'Pending'], 'start c'],
    [['Failed', 'Pending', 'Pending'], 'failed a'],
    [['Succeeded', 'Failed', 'Failed'], 'failed c'],
    [['Succeeded', 'Skipped', 'Succeeded'], 'passed'],
    [[], 'passed'],
  ] satisfies [HookStatus['state'][], string][])('%j', (states, expected) => {
    expect(next(...states)).toBe(expected);
  });

  test('is none that was taken out of the Release, and one that runs is waited for all the same', () => {
    const record = {
      sync: SYNC,
      hooks: [statusOf('preSync', 'gone', 'Pending'), statusOf('preSync', 'a', 'Pending')],
    };
    expect(skipRemoved(record, hooks).hooks.map(({ state }) => state)).toEqual(['Skipped', 'Pending']);
    const running = { sync: SYNC, hooks: [statusOf('preSync', 'gone', 'Running')] };
    expect(skipRemoved(running, hooks)).toEqual(running);
    expect(nextHook(running, hooks, 'preSync')).toMatchObject({ next: 'wait', hook: undefined });
  });
});

describe('a failure', () => {
  const record: HookRecord = {
    sync: SYNC,
    hooks: [statusOf('preSync', 'a', 'Succeeded'), statusOf('syncFailed', 'b', 'Pending')],
  };
  const finished = (begun: HookRecord) => withHook(begun, statusOf('syncFailed', 'b', 'Succeeded'));

  test.each(['WaveFailed', 'RolloutFailed', 'HookFailed', 'ApplyFailed'])(
    '%s starts the syncFailed hooks once',
    (reason) => {
      const begun = beginFailure(record, reason, NOW);
      expect(isFailing(begun)).toBe(true);
      expect(beginFailure(finished(begun), reason, NOW)).toEqual(finished(begun));
      expect(isFailing(finished(begun))).toBe(false);
    },
  );

  test.each([
    'DryRunFailed',
    'WaitingForWaveHealth',
    'WaitingForHook',
    'ClusterWaveFailed',
    'AccessDenied',
    'PruneFailed',
  ])('%s starts none', (reason) => expect(beginFailure(record, reason, NOW)).toEqual(record));

  test('of an apply counts until all was applied: from then on it is drift', () => {
    const applied = pass(record, 'apply');
    expect(beginFailure(applied, 'ApplyFailed', NOW)).toEqual(applied);
    expect(isFailing(beginFailure(applied, 'WaveFailed', NOW))).toBe(true);
  });

  test('of a wave starts them again when it begins again, that of a hook does not', () => {
    const once = finished(beginFailure(record, 'WaveFailed', NOW));
    const again = beginFailure(waveMended(once), 'WaveFailed', '2026-01-02T00:00:00.000Z');
    expect(again.sync?.failure).toEqual({ reason: 'WaveFailed', at: '2026-01-02T00:00:00.000Z' });
    expect(isFailing(again)).toBe(true);
    const hook = finished(beginFailure(record, 'HookFailed', NOW));
    expect(waveMended(hook)).toEqual(hook);
  });

  test('waits until the hooks of the one before it have ended', () => {
    const first = beginFailure(record, 'ApplyFailed', NOW);
    expect(beginFailure(first, 'HookFailed', NOW)).toEqual(first);
    expect(isFailing(beginFailure(finished(first), 'HookFailed', NOW))).toBe(true);
  });

  test('of a Release without hooks is nothing to them', () => {
    const none = { sync: undefined, hooks: [] };
    expect(beginFailure(none, 'HookFailed', NOW)).toEqual(none);
    expect(pass(none, 'apply')).toEqual(none);
  });
});

const NAMES = ['a', 'b', 'c'];
const someHooks = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...HOOK_PHASES), fc.constantFrom(...NAMES)), {
    selector: ([phase, name]) => `${phase}/${name}`,
  })
  .chain((ids) =>
    fc.tuple(
      ...ids.map(([phase, name]) => fc.boolean().map((isRequired) => hookOf(phase, name, { isRequired }))),
    ),
  );

test('a phase always comes to an end, runs each hook at most once, and stops at the first that had to succeed', () => {
  fc.assert(
    fc.property(someHooks, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (hooks, outcomes) => {
      let record = beginSync(hooks, { renderRef: RENDER, request: undefined }, NOW);
      const started: string[] = [];
      for (let step = 0; ; step++) {
        expect(step).toBeLessThanOrEqual(NAMES.length);
        const due = nextHook(record, hooks, 'preSync');
        if (due.next === 'passed') break;
        if (due.next === 'failed') {
          record = skipPending(record, ['preSync'], 'one failed');
          break;
        }
        started.push(due.status.name);
        const state = outcomes[step] === true ? 'Succeeded' : 'Failed';
        record = withHook(record, { ...due.status, state });
        if (state === 'Failed' && due.next === 'start' && due.hook.isRequired)
          expect(nextHook(record, hooks, 'preSync').next).toBe('failed');
      }
      expect(new Set(started).size).toBe(started.length);
      const ofPhase = record.hooks.filter(({ phase }) => phase === 'preSync');
      // None is left without a word of what became of it (edge case 28).
      expect(ofPhase.filter(({ state }) => state === 'Pending' || state === 'Running')).toEqual([]);
      expect(record.hooks.filter(({ phase, state }) => phase !== 'preSync' && state !== 'Pending')).toEqual(
        [],
      );
    }),
  );
});
