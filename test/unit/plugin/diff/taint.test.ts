import { describe, expect, test } from 'vitest';
import { type Taint, taintOf } from '../../../../plugin/diff/taint.ts';

/** As plain JSON. */
function plain(taint: Taint | undefined): unknown {
  if (taint === undefined || taint === 'all') return taint;
  return Object.fromEntries([...taint].map(([part, below]) => [part, plain(below)]));
}

describe('what differs from the render with other letters comes from Secrets', () => {
  test.each([
    ['nothing', { a: 1, b: ['x'] }, { a: 1, b: ['x'] }, undefined],
    ['a field', { a: 1, b: 'pw' }, { a: 1, b: 'xx' }, { b: 'all' }],
    ['a number that letters make a text', { port: 8080 }, { port: 'xxxx' }, { port: 'all' }],
    ['a name of a field: all of its map', { m: { pw: 1, b: 2 } }, { m: { xx: 1, b: 2 } }, { m: 'all' }],
    ['a list of another length', { l: ['a', 'b'] }, { l: ['xxx'] }, { l: 'all' }],
    [
      'an item by its name',
      {
        env: [
          { name: 'A', value: 'pw' },
          { name: 'B', value: 'b' },
        ],
      },
      {
        env: [
          { name: 'A', value: 'xx' },
          { name: 'B', value: 'b' },
        ],
      },
      { env: { '=A': { value: 'all' } } },
    ],
    [
      'any item where they have no names',
      { l: [{ v: 'pw' }, { v: 'b' }] },
      { l: [{ v: 'xx' }, { v: 'b' }] },
      { l: { '*': { v: 'all' } } },
    ],
    [
      'a name of an item',
      { l: [{ name: 'pw', v: 1 }] },
      { l: [{ name: 'xx', v: 1 }] },
      { l: { '*': { name: 'all' } } },
    ],
    ['a map that is none', { m: { a: 1 } }, { m: 'xxxx' }, { m: 'all' }],
  ])('%s', (_, value, blind, taint) => {
    expect(plain(taintOf(value, blind))).toEqual(taint);
  });
});
