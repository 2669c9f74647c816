import { expect, it } from 'vitest';
import { requesterAnnotations } from '../../../../webhook/mutate/requestedBy.ts';
import { readReview } from '../../../../webhook/review/admissionReview.ts';
import { requestOf, reviewOf } from '../support.ts';

const SYNC = 'convoy.kumodo.io/sync';
const BY = 'convoy.kumodo.io/sync-requested-by';
type Annotations = Record<string, string> | undefined;

function requester(before: Annotations | 'none', after: Annotations): string | undefined {
  const object = (annotations: Annotations) => ({
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'Release',
    metadata: { name: 'shop', ...(annotations === undefined ? {} : { annotations }) },
  });
  const request = requestOf({ object: object(after), oldObject: before === 'none' ? null : object(before) });
  return requesterAnnotations(readReview(reviewOf(request)))[BY];
}

it.each<[string, Annotations | 'none', Annotations, string | undefined]>([
  ['created without a request', 'none', undefined, undefined],
  ['created with a forged name alone', 'none', { [BY]: 'eve' }, undefined],
  ['created with a request', 'none', { [SYNC]: '1' }, 'alice'],
  ['created with a request and a forged name', 'none', { [SYNC]: '1', [BY]: 'eve' }, 'alice'],
  ['a first request', undefined, { [SYNC]: '1' }, 'alice'],
  ['another request', { [SYNC]: '1', [BY]: 'bob' }, { [SYNC]: '2', [BY]: 'bob' }, 'alice'],
  ['the same request', { [SYNC]: '1', [BY]: 'bob' }, { [SYNC]: '1', [BY]: 'bob' }, 'bob'],
  ['an edit of the name alone', { [SYNC]: '1', [BY]: 'bob' }, { [SYNC]: '1', [BY]: 'eve' }, 'bob'],
  ['the name taken out alone', { [SYNC]: '1', [BY]: 'bob' }, { [SYNC]: '1' }, 'bob'],
  ['a name where there was none', { [SYNC]: '1' }, { [SYNC]: '1', [BY]: 'eve' }, undefined],
  ['the request taken out', { [SYNC]: '1', [BY]: 'bob' }, { [BY]: 'bob' }, undefined],
])('%s: %j → %j is by %s', (_, before, after, expected) => {
  expect(requester(before, after)).toBe(expected);
});
