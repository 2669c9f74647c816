import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RenderError } from '../../../../engine/render/errors.ts';
import { Problems } from '../../../../engine/render/errors.ts';
import { render } from '../../../../engine/render/render.ts';
import { substitute } from '../../../../engine/render/variables.ts';

const VALUES = new Map([
  ['name', 'web'],
  ['empty', ''],
  ['money', '$5 ${name} $$ $&'],
  ['_n0', '3'],
]);

function replaced(text: string): string {
  const problems = new Problems();
  const { text: result } = substitute({ path: 'a.yaml', text }, VALUES, problems);
  problems.throwIfAny();
  return result;
}

function problemsOf(text: string): string[] {
  try {
    replaced(text);
    return [];
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.problems.map(({ where, what }) => `${where}: ${what}`);
  }
}

test.each([
  ['a ${name} b', 'a web b'],
  ['${name}${_n0}', 'web3'],
  ['${empty}', ''],
  ['${empty:=x}', ''],
  ['${other:=x}', 'x'],
  ['${other:=}', ''],
  ['${other:=a:=b $c}', 'a:=b $c'],
  ['${name:=x}', 'web'],
  ['$${name}', '${name}'],
  ['$$${name}', '$web'],
  ['$$$$', '$$'],
  ['$name $1 $', '$name $1 $'],
  ['${money}', '$5 ${name} $$ $&'],
])('%j becomes %j', (text, expected) => {
  expect(replaced(text)).toBe(expected);
});

describe('refused, with its line,', () => {
  test.each([
    ['is a name without a value', 'a\n${other}', ['a.yaml:2: the variable other has no value']],
    [
      'is each of several',
      '${a}\n${b}',
      ['a.yaml:1: the variable a has no value', 'a.yaml:2: the variable b has no value'],
    ],
    ['is a default as shells write it', '${a:-b}', ['a.yaml:1: "${a:-b}" is no variable']],
    ['is a name that is none', '${1}', ['a.yaml:1: "${1}" is no variable']],
    ['is a brace that is not closed', 'x\n${name\n}', ['a.yaml:2: "${name" is no variable']],
    ['is an empty name', '${}', ['a.yaml:1: "${}" is no variable']],
  ])('%s', (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });
});

test('what has its dollar signs doubled comes out as it went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', ':', '=', '\n') }), (text) => {
      expect(replaced(text.replaceAll('$', '$$$$'))).toBe(text);
    }),
  );
});

test('a render without variables leaves references as they stand', () => {
  const content = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {text: "${name} $$"}\n';
  const options = { targetNamespace: 'shop', scopeOf: () => 'Namespaced' as const };
  const textOf = (variables?: Map<string, string>): unknown =>
    render([{ path: 'a.yaml', content }], {}, { ...options, variables }).objects[0]?.['data'];
  expect(textOf()).toEqual({ text: '${name} $$' });
  expect(textOf(VALUES)).toEqual({ text: 'web $' });
});
