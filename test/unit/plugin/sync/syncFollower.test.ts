import { describe, expect, it } from 'vitest';
import { SYNC } from '../../../../api/annotations.ts';
import type { Condition, Release, ReleaseStatus } from '../../../../api/release.ts';
import { SyncFollower } from '../../../../plugin/sync/syncFollower.ts';
import { before, condition, digest, release } from '../release.ts';

type Recent = NonNullable<NonNullable<ReleaseStatus['sync']>['recent']>[number];

interface Seen {
  annotation?: object | string;
  recent?: Partial<Recent>[];
  ready?: Condition;
}

function seen({ annotation, recent = [], ready = OLD }: Seen): Release {
  const value = typeof annotation === 'string' ? annotation : JSON.stringify(annotation);
  const base = release({
    conditions: [ready],
    sync: { recent: recent.map((one) => ({ id: 'mine', force: false, at: before(5), ...one })) },
  });
  if (annotation !== undefined) base.metadata.annotations = { [SYNC]: value };
  return base;
}

const OLD = condition('Ready', 'False', 'WaveFailed', 'wave 0 did not become healthy');
const READY = condition('Ready', 'True', 'Applied', '3 objects applied');
const HOLD = condition('Ready', 'False', 'WaitingForWaveHealth', 'wave 1 waits');
const MINE = { annotation: { id: 'mine' } };

function follow(...states: Seen[]) {
  const follower = new SyncFollower('mine', seen(MINE));
  return states
    .map((state) => follower.see(seen(state)))
    .map((state) => ('why' in state ? state.why : state.phase));
}

describe('a sync that is followed', () => {
  it.each<[string, Seen[], string[]]>([
    [
      'goes well',
      [
        MINE,
        { ...MINE, recent: [{}] },
        { recent: [{}], ready: HOLD },
        { recent: [{ result: 'Applied' }], ready: READY },
      ],
      ['queued', 'running', 'running', 'done'],
    ],
    [
      'is applied before it is healthy',
      [
        { recent: [{ result: 'Applied' }], ready: condition('Ready', 'False', 'Progressing') },
        { recent: [{ result: 'Applied' }], ready: READY },
      ],
      ['running', 'done'],
    ],
    ['fails', [{ recent: [{ result: 'DryRunFailed: no such field' }] }], ['DryRunFailed: no such field']],
    [
      'fails without a result',
      [
        { recent: [{}], ready: HOLD },
        { recent: [{}], ready: condition('Ready', 'False', 'ApplyFailed', 'quota') },
      ],
      ['running', 'ApplyFailed: quota'],
    ],
    [
      'fails after it was applied',
      [{ recent: [{ result: 'Applied' }], ready: condition('Ready', 'False', 'RolloutFailed', 'web') }],
      ['RolloutFailed: web'],
    ],
    [
      'is rolled back',
      [{ recent: [{ result: 'Applied' }], ready: condition('Ready', 'True', 'RolledBack', 'to abc') }],
      ['RolledBack: to abc'],
    ],
    [
      'is replaced before it is taken',
      [
        { annotation: { id: 'theirs', supersedes: ['mine'] } },
        { recent: [{ id: 'theirs' }] },
        { recent: [{ id: 'theirs', result: 'Applied' }], ready: READY },
      ],
      ['queued', 'running', 'done'],
    ],
    [
      'is replaced by one that was taken meanwhile',
      [{ recent: [{ id: 'theirs', result: 'Applied', supersedes: ['other', 'mine'] }], ready: READY }],
      ['done'],
    ],
    ['is superseded', [{ recent: [{ result: 'Superseded by x' }] }], ['Superseded by x']],
    [
      'is overwritten',
      [{ annotation: { id: 'theirs' } }],
      ['the request is gone: somebody has overwritten or removed its annotation'],
    ],
    [
      'has lost its annotation',
      [{}],
      ['the request is gone: somebody has overwritten or removed its annotation'],
    ],
    ['takes a failure from before for none of its own', [{ recent: [{}], ready: OLD }], ['running']],
    [
      'waits for a Degraded object',
      [{ recent: [{ result: 'Applied' }], ready: condition('Ready', 'False', 'Degraded') }],
      ['running'],
    ],
  ])('%s', (_, states, expected) => {
    expect(follow(...states)).toEqual(expected);
  });

  it('is not done while the status speaks of an older spec', () => {
    const edited = seen({ recent: [{ result: 'Applied' }], ready: READY });
    edited.metadata.generation = 2;
    expect(new SyncFollower('mine', seen(MINE)).see(edited)).toEqual({ phase: 'running' });
  });

  it('tells the request that it follows now', () => {
    const follower = new SyncFollower('mine', seen(MINE));
    follower.see(seen({ annotation: { id: 'theirs', supersedes: ['mine'] } }));
    expect(follower.id).toBe('theirs');
  });
});

describe('a sync whose render is applied and not healthy', () => {
  const applied = (letter: string, rollout?: 'Progressing' | 'Failed') => {
    const shop = seen({ recent: [{ result: 'Applied' }], ready: condition('Ready', 'False', 'Progressing') });
    const renderRef = digest(letter);
    shop.status = {
      ...shop.status,
      lastAttempted: { renderRef, at: before(5) },
      ...(rollout === undefined
        ? {}
        : { rollout: { state: rollout, renderRef, startedAt: before(5), message: 'too late' } }),
    };
    return shop;
  };

  it('has failed when its rollout has', () => {
    const follower = new SyncFollower('mine', seen(MINE));
    expect(follower.see(applied('a', 'Progressing'))).toEqual({ phase: 'running' });
    expect(follower.see(applied('a', 'Failed'))).toEqual({ phase: 'failed', why: 'RolloutFailed: too late' });
  });

  it('is superseded by a new render', () => {
    const follower = new SyncFollower('mine', seen(MINE));
    expect(follower.see(applied('a'))).toEqual({ phase: 'running' });
    expect(follower.see(applied('b'))).toEqual({
      phase: 'failed',
      why: `Superseded by a new render, ${digest('b')}, before all objects were healthy`,
    });
  });
});
