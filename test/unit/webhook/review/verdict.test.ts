import { expect, it } from 'vitest';
import { reviewResponse } from '../../../../webhook/review/verdict.ts';

const HEAD = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };

it('allows', () => {
  expect(reviewResponse('u', { allowed: true })).toEqual({ ...HEAD, response: { uid: 'u', allowed: true } });
  expect(reviewResponse('u', { allowed: true, patch: [], warnings: [] })).toEqual({
    ...HEAD,
    response: { uid: 'u', allowed: true },
  });
});

it('refuses with code and reason', () => {
  expect(
    reviewResponse('u', { allowed: false, reason: 'Invalid', message: 'a: b', warnings: ['c'] }),
  ).toEqual({
    ...HEAD,
    response: {
      uid: 'u',
      allowed: false,
      warnings: ['c'],
      status: { status: 'Failure', code: 422, reason: 'Invalid', message: 'a: b' },
    },
  });
});

it('carries a patch in base64', () => {
  const patch = [{ op: 'add' as const, path: '/metadata/annotations', value: { a: 'ä' } }];
  expect(reviewResponse('u', { allowed: true, patch })).toEqual({
    ...HEAD,
    response: {
      uid: 'u',
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    },
  });
});

it('keeps warnings to what a header can hold, and tells how many are left out', () => {
  const warnings = ['two\nlines', 'x'.repeat(300), ...Array.from({ length: 20 }, (_, index) => `w${index}`)];
  expect(reviewResponse('u', { allowed: true, warnings })).toMatchObject({
    response: {
      warnings: [
        'two lines',
        `${'x'.repeat(250)}…`,
        ...Array.from({ length: 13 }, (_, i) => `w${i}`),
        'and 7 more',
      ],
    },
  });
});
