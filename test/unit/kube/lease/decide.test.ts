import { describe, expect, it } from 'vitest';
import { claimed, heldFor, observe, released } from '../../../../kube/lease/decide.ts';
import type { LeaseRecord } from '../../../../kube/lease/record.ts';

const ME = { identity: 'me', leaseDurationMs: 15_000 };
const NOW = new Date('2026-05-01T10:00:00Z');
const TIME = '2026-05-01T10:00:00.000000Z';
const BEFORE = '2026-05-01T09:00:00.000000Z';

/** A record of 15 s by somebody. */
const by = (holderIdentity: string, more: LeaseRecord = {}): LeaseRecord => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  acquireTime: BEFORE,
  renewTime: BEFORE,
  leaseTransitions: 3,
  ...more,
});

describe('whether a Lease may be taken (client-go, leaderelection_test.go)', () => {
  it.each<[string, LeaseRecord, number, number]>([
    ['without a holder', {}, 0, 0],
    ['released', by(''), 0, 0],
    ['of another one, just seen', by('other'), 0, 15_000],
    ['of another one, seen a while ago', by('other'), 14_999, 1],
    ['of another one, run out', by('other'), 15_000, 0],
    [
      'of another one, renewed in the future of its own clock',
      by('other', { renewTime: '2099-01-01T00:00:00.000000Z' }),
      15_000,
      0,
    ],
    [
      'of another one, renewed long ago by its own clock',
      by('other', { renewTime: '1999-01-01T00:00:00.000000Z' }),
      5_000,
      10_000,
    ],
    [
      'of another one, for longer than its own duration here',
      by('other', { leaseDurationSeconds: 60 }),
      15_000,
      45_000,
    ],
    ['of another one that gives no duration', { holderIdentity: 'other' }, 0, 0],
    ['its own', by('me'), 0, 0],
    ['its own, run out', by('me'), 60_000, 0],
  ])('%s', (_, record, agoMs, waitMs) => {
    expect(heldFor({ record, at: 1_000 }, ME, 1_000 + agoMs)).toBe(waitMs);
  });
});

describe('when a record counts as new', () => {
  const seen = { record: by('other'), at: 1_000 };
  it.each<[string, LeaseRecord, number]>([
    ['the same', by('other'), 1_000],
    ['renewed', by('other', { renewTime: TIME }), 9_000],
    ['another holder', by('third'), 9_000],
    ['another duration', by('other', { leaseDurationSeconds: 1 }), 9_000],
    ['acquired again', by('other', { acquireTime: TIME }), 9_000],
    ['released', released(by('other'), NOW), 9_000],
  ])('%s', (_, record, at) => {
    expect(observe(seen, record, 9_000)).toEqual({ record, at });
  });

  it('the first one is new, whatever time stands in it', () => {
    expect(observe(undefined, by('other'), 9_000)).toEqual({ record: by('other'), at: 9_000 });
  });
});

describe('what is written', () => {
  it.each<[string, LeaseRecord | undefined, Partial<LeaseRecord>]>([
    ['to make the Lease', undefined, { acquireTime: TIME, leaseTransitions: 0 }],
    ['to take one without a record', {}, { acquireTime: TIME, leaseTransitions: 1 }],
    ['to take over', by('other'), { acquireTime: TIME, leaseTransitions: 4 }],
    ['to take one that was released', by(''), { acquireTime: TIME, leaseTransitions: 4 }],
    ['to renew', by('me'), { acquireTime: BEFORE, leaseTransitions: 3 }],
  ])('%s', (_, before, expected) => {
    expect(claimed(before, ME, NOW)).toEqual({
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: TIME,
      ...expected,
    });
  });

  it('to release', () => {
    expect(released(by('me'), NOW)).toEqual({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: TIME,
      renewTime: TIME,
      leaseTransitions: 3,
    });
  });
});
