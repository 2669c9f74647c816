import { describe, expect, test } from 'vitest';
import { toJson } from '../../../../engine/render/json.ts';
import { RENDER_LIMITS } from '../../../../engine/render/limits.ts';
import { parseYaml } from '../../../../engine/render/yaml.ts';
import { messageOf } from './support.ts';

const json = (text: string) => parseYaml(text, 'f.yaml').map(({ value }) => toJson(value));
const refusal = (text: string) => messageOf(() => parseYaml(text, 'f.yaml'));

describe('documents', () => {
  test('each has the line of the file that it begins on', () => {
    const text = '# head\na: 1\n---\n\n# note\nb: 2\n--- # third\nc: {d: 3}\n';
    expect(parseYaml(text, 'f')).toEqual([
      { value: { a: 1 }, line: 2 },
      { value: { b: 2 }, line: 6 },
      { value: { c: { d: 3 } }, line: 8 },
    ]);
  });

  test.each(['', '\n', '---\n---\n', '# only a comment', 'null\n', '---\n# a\n---\n~'])(
    '%j has none that counts',
    (text) => {
      expect(json(text)).toEqual([]);
    },
  );

  test('a byte order mark and the line ends of Windows do not count', () => {
    expect(json('\ufeffa: |\r\n  x\r\n  y\r\n---\r\nb: 1\r\n')).toEqual(['{"a":"x\\ny\\n"}', '{"b":1}']);
  });

  test('the separator takes no line end from the document before it', () => {
    expect(json('a: |+\n  x\n\n---\na: |+\n  x\n\n')).toEqual(['{"a":"x\\n\\n"}', '{"a":"x\\n\\n"}']);
  });

  test('text behind the separator is refused', () => {
    expect(refusal('a: 1\n--- b: 2\n')).toBe(
      'f.yaml:2: "b: 2" stands behind --- on the same line: begin the document on the next line',
    );
  });

  test('several JSON values that follow one another are as many documents', () => {
    expect(parseYaml('{"a": 1}\n{"a": 2}', 'f')).toEqual([
      { value: { a: 1 }, line: 1 },
      { value: { a: 2 }, line: 2 },
    ]);
  });

  test('every bad document is reported, not the first alone', () => {
    expect(refusal('a: 1\na: 2\n---\nok: 1\n---\nb: .nan\n').split('\n')).toHaveLength(2);
  });
});

const VALUES: readonly (readonly [what: string, yaml: string, json: string])[] = [
  ['a literal block keeps its lines', 'a: |\n  x\n   y\n\n  z\n', '{"a":"x\\n y\\n\\nz\\n"}'],
  ['strip takes the last line end', 'a: |-\n  x\n\n', '{"a":"x"}'],
  ['keep leaves all line ends', 'a: |+\n  x\n\n', '{"a":"x\\n\\n"}'],
  ['a folded block', 'a: >-\n  x\n  y\n\n  z\n', '{"a":"x y\\nz"}'],
  ['a block with an indentation indicator', 'a: |1\n   x\n', '{"a":"  x\\n"}'],
  ['tabs inside a block are text', 'a: |\n  all:\n  \tmake\n', '{"a":"all:\\n\\tmake\\n"}'],
  ['a plain scalar over several lines', 'a: one\n  two\n\n  three\nb: 1\n', '{"a":"one two\\nthree","b":1}'],
  ['a comment behind a scalar', 'a: b # c\nd: "e" # f\n', '{"a":"b","d":"e"}'],
  ['a hash without a space is text', 'a: b#c\n', '{"a":"b#c"}'],
  ['a colon without a space is text', 'a: b:c\n', '{"a":"b:c"}'],
  ['quotes keep what looks like a number', `a: "1"\nb: '0x1'\n`, '{"a":"1","b":"0x1"}'],
  ['doubled single quotes', `a: 'it''s'\n`, `{"a":"it's"}`],
  ['escapes', String.raw`a: "\t\u00e9\x41\e"`, '{"a":"\\té\\u001b"}'.replace('\\té', '\\téA')],
  ['a list at the indentation of its key', 'a:\n- b\n- c: d\n  e: f\n', '{"a":["b",{"c":"d","e":"f"}]}'],
  ['lists in lists', 'a:\n- - b\n  - c\n- - d\n', '{"a":[["b","c"],["d"]]}'],
  ['flow collections', 'a: [b, "c", {d: 1}]\ne: {}\nf: []\n', '{"a":["b","c",{"d":1}],"e":{},"f":[]}'],
  ['a key without a value', 'a:\nb: 1\n', '{"a":null,"b":1}'],
  ['quoted keys', `"a b": 1\n'c': 2\n"yes": 3\n`, '{"a b":1,"c":2,"yes":3}'],
  ['an alias is a copy', 'a: &x {b: 1}\nc: *x\n', '{"a":{"b":1},"c":{"b":1}}'],
  ['merge keys', 'a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n', '{"a":{"b":1,"c":2},"d":{"b":1,"c":3}}'],
  [
    'a merge of several',
    'a: &x {b: 1}\nc: &y {b: 2}\nd:\n  <<: [*x, *y]\n',
    '{"a":{"b":1},"c":{"b":2},"d":{"b":1}}',
  ],
  [
    'known tags',
    'a: !!str 1\nb: !!int "2"\nc: !!float 3\nd: !!bool "yes"\n',
    '{"a":"1","b":2,"c":3,"d":true}',
  ],
  ['a flow map that is no JSON', '{a: b, c: [d]}', '{"a":"b","c":["d"]}'],
  [
    'numbers of JSON keep their text',
    '{"a": 9007199254740993, "b": 0.10000000000000000001}',
    '{"a":9007199254740993,"b":0.10000000000000000001}',
  ],
];

test.each(VALUES)('%s', (_, yaml, expected) => {
  expect(json(yaml)).toEqual([expected]);
});

test('copies that aliases give can be changed without changing the original', () => {
  const [document] = parseYaml('a: &x {b: 1}\nc: *x\n', 'f');
  const value = document?.value as Record<'a' | 'c', object>;
  expect(value.a).not.toBe(value.c);
});

const REFUSED: readonly (readonly [what: string, yaml: string, message: RegExp])[] = [
  [
    'a duplicate key',
    'a:\n  b: 1\n  c: 2\n  b: 3\n',
    /^f\.yaml:4: the key "b" stands twice in one map: remove/,
  ],
  ['a duplicate key in JSON', '{"a": {"b": 1,\n "b": 2}}', /^f\.yaml:2: the key "b" stands twice/],
  ['a duplicate key in a flow map', 'a: {b: 1, b: 2}', /^f\.yaml:1: the key "b" stands twice/],
  ['a number as key', 'a: 1\n1: b\n', /^f\.yaml:2: the key 1 is not text but a number: put it in quotes$/],
  ['a boolean as key', 'on: push\n', /^f\.yaml:1: the key on is not text but a boolean/],
  ['a null as key', '~: x\n', /^f\.yaml:1: the key ~ is not text but null/],
  ['a map as key', '? {a: 1}\n: b\n', /^f\.yaml:1: a key is no text/],
  [
    'a key that would change the prototype',
    '__proto__: {}\n',
    /^f\.yaml:1: the key __proto__ is not allowed/,
  ],
  ['the same in JSON', '{"__proto__": 1}', /^f\.yaml:1: the key __proto__ is not allowed/],
  ['a tab as indentation', 'a:\n\tb: 1\n', /^f\.yaml:2: .*tab.*: indent with spaces$/i],
  ['a NUL byte', 'a: 1\nb: "\0"\n', /^f\.yaml:2: a NUL byte is not allowed/],
  ['another control character', 'a: "\u0007"\n', /^f\.yaml:1: the control character U\+0007/],
  ['an unclosed quote', 'a: "b\nc: d\n', /^f\.yaml:\d+: Missing closing/],
  ['a line that does not line up', 'a:\n    b: 1\n  c: 2\n', /^f\.yaml:3: .*line it up/],
  ['an unclosed brace', '{"a": 1', /^f\.yaml:\d+: .*write valid YAML/],
  ['infinity', 'a: 1\nb: .inf\n', /^f\.yaml:2: JSON has no \.inf/],
  ['an unknown tag', 'a: !vault x\n', /^f\.yaml:1: this tag is not known/],
  ['binary', 'a: !!binary aGk=\n', /^f\.yaml:1: the tag .*binary is not known/],
  ['a tag that does not fit', 'a: !!int x\n', /^f\.yaml:1: this text is no int/],
  ['an alias without its anchor', 'a: *x\n', /^f\.yaml:1: there is no anchor of this name/],
  ['an anchor that contains itself', 'a: &x\n  b: *x\n', /^f\.yaml:2: the anchor &x contains itself/],
  ['a merge of no map', 'a: &x 1\nb:\n  <<: *x\n', /^f\.yaml:3: << merges maps alone/],
];

test.each(REFUSED)('%s is refused with its line', (_, yaml, message) => {
  expect(refusal(yaml)).toMatch(message);
});

test.each([
  '*hunter2',
  '!hunter2',
  '|hunter2',
  '>hunter2',
  '!!int hunter2',
  '"\\qhunter2"',
  '@hunter2',
  '{hunter2: [}',
])('what is wrong with %s does not quote it: it may be a password', (text) => {
  expect(refusal(`password: ${text}\n`)).not.toContain('hunter2');
});

describe('hostile text is refused without being carried out', () => {
  const levels = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const bomb = levels
    .map(
      (name, i) =>
        `${name}: &${name} [${Array(10)
          .fill(i === 0 ? 'x' : `*${levels[i - 1] ?? ''}`)
          .join(', ')}]`,
    )
    .join('\n');

  test('aliases that grow tenfold nine times', () => {
    expect(refusal(bomb)).toMatch(/^f\.yaml:\d+: aliases make far too much/);
  });

  test('aliases of one long text', () => {
    const text = `a: &a "${'x'.repeat(100_000)}"\nb: [${Array(100).fill('*a').join(',')}]\n`;
    expect(refusal(text)).toMatch(/^f\.yaml:2: aliases make far too much/);
  });

  test.each([
    ['flow lists', 'a: ' + '['.repeat(50_000)],
    ['JSON maps', '{"a":'.repeat(50_000)],
    ['lists', '- '.repeat(50_000)],
    ['maps', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['plain lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}-`).join('\n')],
  ])('%s nested too deep', (_, text) => {
    expect(refusal(text)).toMatch(/nested deeper than 200 levels: make it flatter$/);
  });

  test('text over the limit', () => {
    const limits = { ...RENDER_LIMITS, text: 10 };
    expect(messageOf(() => parseYaml('a: 12345678', 'f', limits))).toMatch(/^f: 11 characters are more than/);
  });

  test('a document over the limit', () => {
    const limits = { ...RENDER_LIMITS, document: 10 };
    expect(messageOf(() => parseYaml('a: {b: 12345}', 'f', limits))).toMatch(
      /^f:1: a document of 14 characters: split it/,
    );
  });
});
