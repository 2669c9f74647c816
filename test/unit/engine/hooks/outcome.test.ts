import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { hasEnded, heldBy, outcomeOf } from '../../../../engine/hooks/outcome.ts';

const CLOCK = { startedAt: 0, timeoutMs: 60_000, now: 1_000 };
const LATE = { ...CLOCK, now: 60_000 };

function jobWith(
  status: object,
  metadata: Partial<KubeObject['metadata']> = {},
  spec: object = {},
): KubeObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a', ...metadata }, spec, status };
}

const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };
const failed = (reason: string, message = 'it says why') => ({
  conditions: [{ type: 'Failed', status: 'True', reason, message }],
});
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };

test.each([
  ['has just been made', jobWith({}), CLOCK, 'Running', '0 active, 0 done, 0 failed'],
  ['runs', jobWith({ active: 2, failed: 1 }), CLOCK, 'Running', '2 active, 0 done, 1 failed'],
  [
    'is about to fail',
    jobWith({ conditions: [{ type: 'FailureTarget', status: 'True' }] }),
    CLOCK,
    'Running',
    '0 active, 0 done, 0 failed',
  ],
  ['is complete', jobWith(COMPLETE), CLOCK, 'Succeeded', ''],
  ['is complete, after its time', jobWith(COMPLETE), LATE, 'Succeeded', ''],
  [
    'is complete and deleted',
    jobWith(COMPLETE, { ...DELETED, finalizers: ['a.io/b'] }),
    CLOCK,
    'Succeeded',
    '',
  ],
  [
    'has failed',
    jobWith(failed('BackoffLimitExceeded')),
    CLOCK,
    'Failed',
    'BackoffLimitExceeded: it says why',
  ],
  [
    'was ended at the timeout',
    jobWith(failed('DeadlineExceeded'), {}, { activeDeadlineSeconds: 60 }),
    CLOCK,
    'Failed',
    'it did not end within its timeout of 1m0s',
  ],
  [
    'was ended at a deadline of its own',
    jobWith(failed('DeadlineExceeded'), {}, { activeDeadlineSeconds: 9 }),
    CLOCK,
    'Failed',
    'DeadlineExceeded: it says why',
  ],
  ['takes too long', jobWith({ active: 1 }), LATE, 'Failed', 'it did not end within its timeout of 1m0s'],
  ['was deleted', jobWith({ active: 1 }, DELETED), CLOCK, 'Failed', 'its Job was deleted before it ended'],
  [
    'was deleted in the foreground',
    jobWith({}, { ...DELETED, finalizers: ['foregroundDeletion'] }),
    CLOCK,
    'Failed',
    'its Job was deleted before it ended',
  ],
  [
    'was deleted and is held',
    jobWith({}, { ...DELETED, finalizers: ['a.io/b', 'orphan'] }),
    CLOCK,
    'Failed',
    'its Job was deleted before it ended, and is held by the finalizer a.io/b',
  ],
  ['is gone', undefined, CLOCK, 'Failed', 'its Job was deleted before anybody could see how it ended'],
])('a hook whose Job %s', (_, job, clock, state, message) => {
  expect(outcomeOf(job, clock)).toEqual({ state, message });
});

test.each([
  ['gone', undefined, true, []],
  ['running', jobWith({}, { finalizers: ['a.io/b'] }), false, ['a.io/b']],
  [
    'ending its pods',
    jobWith({}, { ...DELETED, finalizers: ['foregroundDeletion', 'a.io/b'] }),
    false,
    ['a.io/b'],
  ],
  ['without pods, and held', jobWith({}, { ...DELETED, finalizers: ['a.io/b'] }), true, ['a.io/b']],
])('a Job that is %s', (_, job, over, finalizers) => {
  expect(hasEnded(job)).toBe(over);
  expect(job === undefined ? [] : heldBy(job)).toEqual(finalizers);
});
