import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatSyncRequest,
  joinOrReplace,
  parseSyncRequest,
  type SyncRequest,
  unhandledRequest,
} from '../../../api/syncRequest.ts';

const LONGEST = 'x'.repeat(64);
const text = (value: unknown) => JSON.stringify(value);

describe('parseSyncRequest', () => {
  it.each([
    [
      { id: 'a', force: true },
      { id: 'a', force: true, supersedes: [] },
    ],
    [{ id: LONGEST }, { id: LONGEST, force: false, supersedes: [] }],
    [
      { id: 'a', force: false, supersedes: ['b', 'c'] },
      { id: 'a', force: false, supersedes: ['b', 'c'] },
    ],
    [
      { id: 'a', later: 1 },
      { id: 'a', force: false, supersedes: [] },
    ],
  ])('reads %j', (value, request) => {
    expect(parseSyncRequest(text(value))).toEqual(request);
  });

  it.each([
    ['', 'no JSON object'],
    ['{"id":', 'no JSON object'],
    ['null', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['"a"', 'no JSON object'],
    ['{}', 'id is no string'],
    [text({ id: '' }), 'id is no string'],
    [text({ id: 1 }), 'id is no string'],
    [text({ id: `${LONGEST}x` }), 'id is no string of 1 to 64 characters'],
    [text({ id: 'a', force: 'true' }), 'force is neither'],
    [text({ id: 'a', force: null }), 'force is neither'],
    [text({ id: 'a', supersedes: 'b' }), 'supersedes is no list'],
    [text({ id: 'a', supersedes: [''] }), 'supersedes is no list'],
    [text({ id: 'a', supersedes: Array.from({ length: 257 }, () => 'b') }), 'at most 256 ids'],
  ])('says what is wrong with %s', (annotation, message) => {
    expect(parseSyncRequest(annotation)).toEqual({ invalid: expect.stringContaining(message) as string });
  });
});

const id = fc.string({ minLength: 1, maxLength: 64 });
const request: fc.Arbitrary<SyncRequest> = fc.record({
  id,
  force: fc.boolean(),
  supersedes: fc.array(id, { maxLength: 256 }),
});

it('reads back what it writes', () => {
  fc.assert(
    fc.property(request, (one) => {
      expect(parseSyncRequest(formatSyncRequest(one))).toEqual(one);
    }),
  );
});

describe('joinOrReplace', () => {
  const mine = { id: 'mine', force: false };
  const forced = { id: 'mine', force: true };
  const own = { write: { ...mine, supersedes: [] } };
  const theirs = (changes: Partial<SyncRequest> = {}) =>
    formatSyncRequest({ id: 'theirs', force: false, supersedes: [], ...changes });

  it.each([
    ['no request', undefined, [], mine, own],
    ['one that was taken', theirs(), ['theirs'], mine, own],
    ['one that cannot be read', '{', [], mine, own],
    ['one as strong', theirs(), [], mine, { join: { id: 'theirs', force: false, supersedes: [] } }],
    [
      'a stronger one',
      theirs({ force: true }),
      ['other'],
      mine,
      { join: { id: 'theirs', force: true, supersedes: [] } },
    ],
    [
      'a forced one, by force',
      theirs({ force: true }),
      [],
      forced,
      { join: { id: 'theirs', force: true, supersedes: [] } },
    ],
    [
      'a weaker one',
      theirs({ supersedes: ['older'] }),
      [],
      forced,
      { write: { ...forced, supersedes: ['theirs', 'older'] } },
    ],
  ])('%s', (_, annotation, handled, wish, decision) => {
    expect(joinOrReplace(annotation, handled, wish)).toEqual(decision);
  });

  it('leaves a request that is as strong as the wish, and names each that it replaced', () => {
    fc.assert(
      fc.property(request, fc.boolean(), (waiting, force) => {
        const decision = joinOrReplace(formatSyncRequest(waiting), [], { id: 'mine', force });
        const result = 'join' in decision ? decision.join : decision.write;
        expect(result.force).toBe(waiting.force || force);
        expect([result.id, ...result.supersedes]).toContain(waiting.id);
        expect(parseSyncRequest(formatSyncRequest(result))).toEqual(result);
      }),
    );
  });
});

describe('unhandledRequest', () => {
  it.each([
    ['waits', '{"id":"a"}', ['b'], 'a'],
    ['was taken', '{"id":"a"}', ['b', 'a'], undefined],
    ['cannot be read', 'a', [], undefined],
    ['is not there', undefined, [], undefined],
  ])('one that %s', (_, annotation, handled, found) => {
    expect(unhandledRequest(annotation, handled)?.id).toBe(found);
  });
});
