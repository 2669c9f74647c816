import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { withoutSecretValues } from '../../../../engine/source/secretObject.ts';

const secret = (fields: object, kind = 'Secret', apiVersion = 'v1'): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'keys' },
  ...fields,
});

test.each([
  ['a value as it is', { stringData: { a: 'hunter2' } }, 'got hunter2', 'got (a value from a Secret)'],
  ['its base64', { stringData: { a: 'hunter2' } }, 'got aHVudGVyMg==', 'got (a value from a Secret)'],
  [
    'what its base64 stands for',
    { data: { a: 'aHVudGVyMg==' } },
    'got hunter2',
    'got (a value from a Secret)',
  ],
  [
    'a value that the server writes out',
    { data: { a: 'x' } },
    'data: got &value.valueUnstructured{Value:1}',
    'data: got a value of another type',
  ],
])('of a Secret is not told %s', (_, fields, text, told) => {
  expect(withoutSecretValues(text, [secret(fields)])).toBe(told);
});

test.each([
  ['ConfigMap', 'v1'],
  ['Secret', 'example.com/v1'],
])('all is told of a %s of %s', (kind, apiVersion) => {
  expect(withoutSecretValues('got hunter2', [secret({ data: { a: 'hunter2' } }, kind, apiVersion)])).toBe(
    'got hunter2',
  );
});
