import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FieldSet, union, within } from '../../../../engine/drift/fieldSet.ts';

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
