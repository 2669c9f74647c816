import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import type { Mutation } from '../../../../api/release.ts';
import { parseJson, toJson } from '../../../../engine/render/json.ts';
import { messageOf } from '../render/support.ts';
import { mutated } from './support.ts';

type Operation = NonNullable<Mutation['jsonPatch']>[number];

const config = (data: unknown): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop' },
  data,
});
const patched = (data: unknown, ...jsonPatch: Operation[]): unknown =>
  mutated([config(data)], [{ type: 'jsonPatch', jsonPatch }])[0]?.['data'];
const refused = (data: unknown, ...jsonPatch: Operation[]): string =>
  messageOf(() => patched(data, ...jsonPatch));

describe('a JSON patch', () => {
  // Most are the examples of RFC 6902, appendix A, below /data.
  test.for<[name: string, data: unknown, operations: Operation[], expected: unknown]>([
    [
      'adds a field',
      { foo: 'bar' },
      [{ op: 'add', path: '/data/baz', value: 'q' }],
      { foo: 'bar', baz: 'q' },
    ],
    ['adds over a field', { foo: 1 }, [{ op: 'add', path: '/data/foo', value: null }], { foo: null }],
    ['adds an item', ['a', 'b'], [{ op: 'add', path: '/data/1', value: 'q' }], ['a', 'q', 'b']],
    ['adds at the end', ['a'], [{ op: 'add', path: '/data/-', value: ['b'] }], ['a', ['b']]],
    ['adds after the last', ['a'], [{ op: 'add', path: '/data/1', value: 'b' }], ['a', 'b']],
    ['removes a field', { foo: 1, bar: 2 }, [{ op: 'remove', path: '/data/foo' }], { bar: 2 }],
    ['removes an item', ['a', 'b', 'c'], [{ op: 'remove', path: '/data/1' }], ['a', 'c']],
    ['replaces a field', { foo: 1 }, [{ op: 'replace', path: '/data/foo', value: [2] }], { foo: [2] }],
    ['replaces an item', ['a', 'b', 'c'], [{ op: 'replace', path: '/data/1', value: 'q' }], ['a', 'q', 'c']],
    [
      'moves a value',
      { a: { x: 1, y: 2 }, b: {} },
      [{ op: 'move', from: '/data/a/x', path: '/data/b/z' }],
      { a: { y: 2 }, b: { z: 1 } },
    ],
    ['moves an item', ['a', 'b', 'c'], [{ op: 'move', from: '/data/0', path: '/data/2' }], ['b', 'c', 'a']],
    ['moves to where it is', { a: 1 }, [{ op: 'move', from: '/data/a', path: '/data/a' }], { a: 1 }],
    [
      'copies a value',
      { a: { x: [1] } },
      [{ op: 'copy', from: '/data/a', path: '/data/b' }],
      { a: { x: [1] }, b: { x: [1] } },
    ],
    [
      'tests whatever the order of keys',
      { a: { x: 1, y: [2] } },
      [{ op: 'test', path: '/data/a', value: { y: [2], x: 1 } }],
      { a: { x: 1, y: [2] } },
    ],
    [
      'reads escapes',
      { 'a/b': 1, 'm~n': 2, '~1': 3 },
      [
        { op: 'test', path: '/data/a~1b', value: 1 },
        { op: 'test', path: '/data/m~0n', value: 2 },
        { op: 'remove', path: '/data/~01' },
      ],
      { 'a/b': 1, 'm~n': 2 },
    ],
    ['reads an empty key', { '': 1 }, [{ op: 'replace', path: '/data/', value: 2 }], { '': 2 }],
    [
      'takes constructor for a key',
      {},
      [{ op: 'add', path: '/data/constructor', value: 'a' }],
      { constructor: 'a' },
    ],
    [
      'makes its operations in order',
      {},
      [
        { op: 'add', path: '/data/a', value: {} },
        { op: 'add', path: '/data/a/b', value: 1 },
      ],
      { a: { b: 1 } },
    ],
  ])('%s', ([, data, operations, expected]) => {
    expect(patched(data, ...operations)).toEqual(expected);
  });

  test('names the mutation, the object, the operation and the path that fail', () => {
    const jsonPatch: Operation[] = [
      { op: 'add', path: '/data/a', value: '1' },
      { op: 'replace', path: '/data/b/c', value: '2' },
    ];
    const mutations: Mutation[] = [
      { type: 'labels', labels: {} },
      { type: 'jsonPatch', jsonPatch },
    ];
    expect(messageOf(() => mutated([config({})], mutations))).toBe(
      'spec.mutations[1].jsonPatch[1]: ConfigMap a in shop: replace /data/b/c: there is no /data/b/c: correct the path, or target objects that have it',
    );
  });

  test.for<[says: string, data: unknown, operation: Operation]>([
    ['add /data/a/b: there is no /data/a/b', {}, { op: 'add', path: '/data/a/b', value: 1 }],
    ['add /data/a/b: there is no /data/a/b', { a: 'text' }, { op: 'add', path: '/data/a/b', value: 1 }],
    ['add /data/2: there is no /data/2', ['a'], { op: 'add', path: '/data/2', value: 1 }],
    ['add /data/01: there is no /data/01', ['a'], { op: 'add', path: '/data/01', value: 1 }],
    ['add /data/x: there is no /data/x', ['a'], { op: 'add', path: '/data/x', value: 1 }],
    ['add /data/a: it has no value', {}, { op: 'add', path: '/data/a' }],
    ['remove /data/a: there is no /data/a', {}, { op: 'remove', path: '/data/a' }],
    ['remove /data/-: there is no /data/-', ['a'], { op: 'remove', path: '/data/-' }],
    ['remove /data/toString: there is no /data/toString', {}, { op: 'remove', path: '/data/toString' }],
    ['replace /data/a: there is no /data/a', {}, { op: 'replace', path: '/data/a', value: 1 }],
    ['move /data/b: there is no /data/a', {}, { op: 'move', from: '/data/a', path: '/data/b' }],
    [
      'move /data/a/b: a value cannot be moved into itself',
      { a: {} },
      { op: 'move', from: '/data/a', path: '/data/a/b' },
    ],
    ['move /data/b: it has no from', {}, { op: 'move', path: '/data/b' }],
    ['copy /data/b: there is no /data/a', {}, { op: 'copy', from: '/data/a', path: '/data/b' }],
    ['test /data/a: there is no /data/a', {}, { op: 'test', path: '/data/a', value: null }],
    ['test /data/a: the value there is another one', { a: '1' }, { op: 'test', path: '/data/a', value: 1 }],
    ['the key __proto__ is not allowed', {}, { op: 'add', path: '/data/__proto__/polluted', value: 1 }],
    ['the key __proto__ is not allowed', {}, { op: 'copy', from: '/__proto__', path: '/data/a' }],
    ['ConfigMap a in shop: this document is no Kubernetes object', {}, { op: 'remove', path: '' }],
    [
      'ConfigMap a in shop: this document is no Kubernetes object',
      {},
      { op: 'replace', path: '', value: 'text' },
    ],
    [
      'ConfigMap a in shop: metadata.name is missing: give it a name',
      {},
      { op: 'remove', path: '/metadata' },
    ],
    [
      'ConfigMap a in shop: metadata.name "a/b" is not valid',
      {},
      { op: 'replace', path: '/metadata/name', value: 'a/b' },
    ],
    ['ConfigMap a in shop: kind is missing', {}, { op: 'remove', path: '/kind' }],
    [
      'ConfigMap a in shop: metadata.labels is no map',
      {},
      { op: 'add', path: '/metadata/labels', value: ['a'] },
    ],
  ])('is refused: %s', ([says, data, operation]) => {
    expect(refused(data, operation)).toContain(says);
  });

  test('tells no value in its message, for it may be a secret', () => {
    const message = refused({ password: 'hunter2' }, { op: 'test', path: '/data/password', value: 'guess' });
    expect(message).not.toMatch(/hunter2|guess/);
  });

  test('leaves nothing behind on the prototypes', () => {
    refused({}, { op: 'add', path: '/__proto__/polluted', value: 1 });
    patched({}, { op: 'add', path: '/data/constructor', value: { prototype: { polluted: 1 } } });
    expect(
      messageOf(() => patched({}, { op: 'add', path: '/data/constructor/prototype', value: 1 })),
    ).toMatch(/there is no/);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('keeps numbers that no double holds', () => {
    const exact = '{"big":9007199254740993,"list":[0.10000000000000000555]}';
    const moved = patched(parseJson(exact), { op: 'copy', from: '/data', path: '/data/copy' });
    expect(toJson(moved)).toBe(`${exact.slice(0, -1)},"copy":${exact}}`);
    expect(refused(parseJson(exact), { op: 'add', path: '/data/big/rawJSON', value: 1 })).toMatch(
      /there is no/,
    );
  });

  test('cannot grow without bound', () => {
    const double: Operation[] = Array.from({ length: 40 }, (_, index) => ({
      op: 'copy',
      from: '/data',
      path: `/data/${index}`,
    }));
    expect(refused({ text: 'x'.repeat(1000) }, ...double)).toMatch(
      /^spec\.mutations: they write more than the limit of \d+ characters: target fewer objects/,
    );
  });

  test('cannot nest without bound', () => {
    const deep: Operation[] = [
      {
        op: 'add',
        path: '/data/a',
        value: JSON.parse('[{"a":'.repeat(90) + '1' + '}]'.repeat(90)) as unknown,
      },
      { op: 'move', from: '/data/a', path: '/x' },
      {
        op: 'add',
        path: `/data/a`,
        value: JSON.parse('[{"a":'.repeat(90) + '1' + '}]'.repeat(90)) as unknown,
      },
      { op: 'move', from: '/x', path: `/data/a${'/0/a'.repeat(90)}` },
    ];
    expect(refused({}, ...deep)).toContain('the object would be nested deeper than 200 levels');
  });
});

describe('a merge patch', () => {
  // RFC 7386, appendix A, as far as it is about objects; the patch stands below /data.
  test.for<[data: unknown, patch: unknown, expected: unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{}, { a: [null] }, { a: [null] }],
    [{}, { constructor: { a: 1 } }, { constructor: { a: 1 } }],
  ])('of %j with %j', ([data, patch, expected]) => {
    const mergePatch = { data: patch };
    expect(mutated([config(data)], [{ type: 'mergePatch', mergePatch }])).toEqual([config(expected)]);
  });

  test('cannot take the name away', () => {
    const mutation: Mutation = { type: 'mergePatch', mergePatch: { metadata: { name: null } } };
    expect(messageOf(() => mutated([config({})], [mutation]))).toBe(
      'spec.mutations[0]: ConfigMap a in shop: metadata.name is missing: add it',
    );
  });
});
