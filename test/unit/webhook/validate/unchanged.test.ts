import { expect, it } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { isUnchanged } from '../../../../webhook/validate/unchanged.ts';

const object = (spec: unknown, annotations?: Record<string, string>): KubeObject => ({
  apiVersion: 'a/v1',
  kind: 'A',
  metadata: { name: 'a', ...(annotations === undefined ? {} : { annotations }) },
  spec,
});

it.each([
  ['the same', object({ a: 1, b: [2] }), object({ b: [2], a: 1 }), true],
  ['other labels', object({}), { ...object({}), metadata: { name: 'a', labels: { b: 'c' } } }, true],
  ['annotations of others', object({}, { b: '1' }), object({}, { b: '2' }), true],
  ['a sync request', object({}), object({}, { 'convoy.kumodo.io/sync': '{}' }), true],
  ['another status', object({}), { ...object({}), status: {} }, true],
  ['another spec', object({ a: 1 }), object({ a: 2 }), false],
  ['an annotation of Convoy', object({}), object({}, { 'convoy.kumodo.io/allow-empty': 'true' }), false],
])('%s: unchanged is %s', (_, before, after, unchanged) => {
  expect(isUnchanged(after, before)).toBe(unchanged);
});
