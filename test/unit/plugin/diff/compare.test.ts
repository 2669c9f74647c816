import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { comparable, cutTo, fieldChanges } from '../../../../plugin/diff/compare.ts';
import { unifiedDiff } from '../../../../plugin/diff/unified.ts';

test('what changes by nature is left out', () => {
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{
        name: 'a',
        namespace: 'shop',
        uid: 'u',
        resourceVersion: '7',
        generation: 2,
        creationTimestamp: 'then',
      },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      managedFields: [{ manager: 'convoy' }],
    },
    data: {},
    status: { phase: 'x' },
  };
  expect(comparable(object)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'shop' },
    data: {},
  });
});

test.each([
  [{ a: 1 }, { a: 2, b: 3 }, { a: 2 }],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, { a: { b: 1 } }],
  [{ l: [{ a: 1 }] }, { l: [{ a: 2, b: 3 }, { a: 4 }] }, { l: [{ a: 2 }, { a: 4 }] }],
  [{ a: 1 }, {}, {}],
])('of %j, the live %j has %j', (wanted, live, cut) => {
  expect(cutTo(wanted, live)).toEqual(cut);
});

describe('changes', () => {
  test.each([
    ['none', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['a field', { a: { b: 1 } }, { a: { b: 2 } }, [{ path: '/a/b', before: 1, after: 2 }]],
    [
      'one that is not there',
      { a: 1 },
      { b: 1 },
      [
        { path: '/a', before: 1 },
        { path: '/b', after: 1 },
      ],
    ],
    ['an item', { a: [1, 2] }, { a: [1] }, [{ path: '/a/1', before: 2 }]],
    ['a name with slashes', { 'a/b~': 1 }, { 'a/b~': 2 }, [{ path: '/a~1b~0', before: 1, after: 2 }]],
    ['the whole', undefined, { a: 1 }, [{ path: '', after: { a: 1 } }]],
  ])('%s', (_, before, after, changes) => {
    expect(fieldChanges(before, after)).toEqual(changes);
  });
});

describe('a unified diff', () => {
  const text = (before: unknown, after: unknown): string[] =>
    unifiedDiff({ before, after }).map(({ sign, text: line }) => (sign === '@' ? line : sign + line));

  test('has one order of fields, and texts of several lines line by line', () => {
    expect(text({ b: 'one\ntwo\n', a: 1 }, { a: 1, b: 'one\nthree\n' })).toEqual([
      '@@ -1,4 +1,4 @@',
      ' a: 1',
      ' b: |',
      '   one',
      '-  two',
      '+  three',
    ]);
  });

  test.each([
    ['is nothing where both are the same', { a: 1 }, { a: 1 }, []],
    ['of what is new', undefined, { a: 1 }, ['@@ -0,0 +1,1 @@', '+a: 1']],
    ['of another kind of value', { a: 1 }, { a: '1' }, ['@@ -1,1 +1,1 @@', '-a: 1', '+a: "1"']],
  ])('%s', (_, before, after, lines) => {
    expect(text(before, after)).toEqual(lines);
  });

  test('of two large texts that have nothing in common comes in no time', () => {
    const lines = (mark: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${mark}${index}\n`).join('');
    expect(unifiedDiff({ before: { a: lines('x') }, after: { a: lines('y') } })).toHaveLength(40_002);
  });
});
