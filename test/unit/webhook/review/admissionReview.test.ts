import { describe, expect, it } from 'vitest';
import { MalformedReview, readReview } from '../../../../webhook/review/admissionReview.ts';
import { reviewOf, requestOf } from '../support.ts';

it('reads what an API server asks', () => {
  expect(readReview(reviewOf(requestOf({ options: { fieldManager: 'kubectl' } })))).toEqual({
    uid: 'u-1',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    namespace: 'apps',
    name: 'web',
    operation: 'CREATE',
    user: 'alice',
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } },
    oldObject: undefined,
    fieldManager: 'kubectl',
  });
});

it('takes null for absent, and an object whose name the API server is to make', () => {
  const metadata = { generateName: 'web-', annotations: null, labels: null };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const { object: read, name } = readReview(
    reviewOf(requestOf({ object, oldObject: null, name: undefined })),
  );
  expect(read?.metadata).toEqual({ name: '', generateName: 'web-' });
  expect(name).toBe('');
});

describe('is malformed', () => {
  const object = (metadata: unknown) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata });

  it.each([
    ['nothing', undefined, 'the body is no object'],
    ['a list', [], 'the body is no object'],
    ['another kind', { apiVersion: 'v1', kind: 'Pod' }, 'no AdmissionReview of admission.k8s.io/v1'],
    ['another version', { ...reviewOf({}), apiVersion: 'admission.k8s.io/v1beta1' }, 'no AdmissionReview'],
    ['no request', { ...reviewOf({}), request: undefined }, 'request is no object'],
    ['no uid', reviewOf(requestOf({ uid: undefined })), 'request.uid is empty'],
    ['another operation', reviewOf(requestOf({ operation: 'LOOK' })), 'request.operation is none of CREATE'],
    ['no user', reviewOf(requestOf({ userInfo: undefined })), 'request.userInfo is no object'],
    ['a user that is no text', reviewOf(requestOf({ userInfo: { username: 1 } })), 'username is no text'],
    ['an object that is a text', reviewOf(requestOf({ object: 'x' })), 'request.object is no object'],
    [
      'an object without metadata',
      reviewOf(requestOf({ object: object(undefined) })),
      'metadata is no object',
    ],
    [
      'labels that are a list',
      reviewOf(requestOf({ object: object({ labels: [1] }) })),
      'labels is no object',
    ],
    [
      'annotations that are numbers',
      reviewOf(requestOf({ object: object({ annotations: { a: 1 } }) })),
      'annotations holds no texts',
    ],
    [
      'an old object of another form',
      reviewOf(requestOf({ oldObject: [] })),
      'request.oldObject is no object',
    ],
  ])('%s', (_, body, message) => {
    expect(() => readReview(body)).toThrow(MalformedReview);
    expect(() => readReview(body)).toThrow(message);
  });
});
