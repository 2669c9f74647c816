import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldSet, union, within, without } from '../../../../engine/drift/fieldSet.ts';

/** The members of a set as paths. */
function members(set: FieldSet, path = ''): string[] {
  const below = Object.entries(set);
  if (below.length === 0) return [path];
  return below
    .flatMap(([element, part]) => (element === '.' ? [path] : members(part, `${path}/${element}`)))
    .sort();
}

const { set: SETS } = fc.letrec<{ set: FieldSet; below: FieldSet }>((tie) => ({
  below: fc.oneof({ maxDepth: 4 }, fc.constant({}), tie('set')),
  set: fc.dictionary(fc.constantFrom('f:a', 'f:b', 'k:{"name":"c"}', 'v:"d"'), tie('below'), { minKeys: 1 }),
}));

test('a union has the members of both sets, and no other', () => {
  fc.assert(
    fc.property(SETS, SETS, (a, b) => {
      const all = new Set([...members(a), ...members(b)]);
      expect(members(union(a, b))).toEqual([...all].sort());
    }),
  );
});

test('a union with itself is the set', () => {
  fc.assert(
    fc.property(SETS, (set) => {
      expect(union(set, set)).toEqual(set);
    }),
  );
});

test.each<[string, FieldSet, unknown, FieldSet | undefined]>([
  ['a field that is there', { 'f:a': {}, 'f:b': {} }, { a: 1 }, { 'f:a': {} }],
  ['one that is null', { 'f:a': {} }, { a: null }, { 'f:a': {} }],
  ['a name that every object inherits', { 'f:toString': {} }, {}, undefined],
  ['an item by its value', { 'f:a': { 'v:"x"': {}, 'v:"y"': {} } }, { a: ['x'] }, { 'f:a': { 'v:"x"': {} } }],
  [
    'an item by its keys, of which defaults may be left out',
    { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {}, 'f:protocol': {} } },
    [{ port: 80 }],
    { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
  ],
  ['nothing', { 'f:a': { 'f:b': {} } }, { a: 'text' }, undefined],
])('of a set, what a document has: %s', (_, set, value, expected) => {
  expect(within(set, value)).toEqual(expected);
});

test.each<[string, unknown, FieldSet, FieldSet, unknown]>([
  ['a field', { a: 1, b: 2 }, { 'f:b': {} }, {}, { a: 1 }],
  ['one that is kept', { a: 1, b: 2 }, { 'f:b': {} }, { 'f:b': {} }, { a: 1, b: 2 }],
  [
    'one further down',
    { m: { a: 1, b: 2 } },
    { 'f:m': { '.': {}, 'f:b': {} } },
    { 'f:m': { 'f:a': {} } },
    { m: { a: 1 } },
  ],
  ['a whole map', { m: { a: 1 }, b: 2 }, { 'f:m': { 'f:a': {} } }, {}, { b: 2 }],
  [
    'an item by its keys',
    { l: [{ name: 'a' }, { name: 'b' }] },
    { 'f:l': { 'k:{"name":"b"}': {} } },
    { 'f:l': { 'k:{"name":"a"}': {} } },
    { l: [{ name: 'a' }] },
  ],
  [
    'a field of an item',
    { l: [{ name: 'a', v: 1 }] },
    { 'f:l': { 'k:{"name":"a"}': { 'f:v': {} } } },
    { 'f:l': { 'k:{"name":"a"}': { 'f:name': {} } } },
    { l: [{ name: 'a' }] },
  ],
  [
    'an item by its value',
    { l: ['a', 'b'] },
    { 'f:l': { 'v:"b"': {} } },
    { 'f:l': { 'v:"a"': {} } },
    { l: ['a'] },
  ],
  ['what is not there', { a: 1 }, { 'f:x': { 'f:y': {} } }, {}, { a: 1 }],
])('%s is taken out', (_, value, set, kept, left) => {
  expect(without(value, set, kept)).toEqual(left);
});
