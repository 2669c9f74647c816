import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseBlockYaml } from '../../../../engine/render/blockYaml.ts';
import { toJson } from '../../../../engine/render/json.ts';
import { parseLibraryYaml } from '../../../../engine/render/libraryYaml.ts';

/** Pieces of YAML that change what the text around them means. */
const PIECES = [
  ...[
    '\n',
    '\n  ',
    '\n    ',
    ' ',
    '  ',
    '\t',
    '- ',
    '-',
    '\n- ',
    '\n  - ',
    '\n\n',
    ': ',
    ':',
    '? ',
    '?',
    ', ',
  ],
  ...[
    '#',
    ' # c',
    '"',
    "'",
    "''",
    '|',
    '|-',
    '|+',
    '>',
    '[',
    ']',
    '{',
    '}',
    '{}',
    '[]',
    '%',
    '@',
    '`',
    '\\',
    '...',
  ],
  ...[
    '&x ',
    '*x',
    '!!str ',
    '<<: ',
    '0644',
    '1e3',
    '.nan',
    'yes',
    'y',
    '~',
    '1.5',
    'a',
    'a:b',
    'k:',
    'x: y',
    '"q": ',
    '"\\n"',
  ],
  ...['\n- a: 1', '\n  k2: ', '\nk: |\n    text\n   more\n', '\nl:\n- 1\n- 2\n', '\nm:\n  n: o\n'],
];
const BASES = [
  '',
  'a: 1\nb:\n  c: d\n  e:\n  - f\n  - g: h\n    i: j\n',
  'a: |\n  x\n  y\nb: "q"\n',
  '- a\n- b: c\n  d: e\n',
  'a: foo\n  bar\n  baz\nb: [x, "y"]\n',
  "spec:\n  x: {}\n  z: 'it''s'\n",
  'a: b # c\nc: d\n',
];

const mangled = fc
  .tuple(
    fc.constantFrom(...BASES),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...PIECES), fc.nat({ max: 3 })), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([base, edits]) =>
    edits.reduce((text, [position, piece, removed]) => {
      const at = position % (text.length + 1);
      return text.slice(0, at) + piece + text.slice(at + removed);
    }, base),
  )
  .filter((text) => !/^---|\r/m.test(text))
  .map((text) => `${text}\n`);

test('what it takes it reads as the library does, and it takes nothing that the library refuses', () => {
  let taken = 0;
  fc.assert(
    fc.property(mangled, (text) => {
      const fast = parseBlockYaml(text, 50);
      if (fast === undefined) return;
      taken++;
      const [slow] = parseLibraryYaml(text);
      expect(toJson(fast.value)).toBe(toJson(slow?.value ?? null));
    }),
    { numRuns: 3000 },
  );
  expect(taken).toBeGreaterThan(100);
});

const key = fc.stringMatching(/^[a-zA-Z_./$][-a-zA-Z0-9_./@$]{2,12}$/);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('map')),
  leaf: fc.oneof(
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('yes', '0644', ' a\nb\n', '- x', '#'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));

test('what is printed as YAML is read back by both', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const text = stringify({ root: value }, { version: '1.1' });
      const [slow] = parseLibraryYaml(text);
      expect(slow?.value).toEqual({ root: value });
      const fast = parseBlockYaml(text, 50);
      if (fast !== undefined) expect(fast.value).toEqual({ root: value });
    }),
    { numRuns: 500 },
  );
});

test.each([
  'a: b\n',
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: |\n    text\n',
  'a:\n- b\n- c: d\n  e: f\n-\n  g: h\n',
  'a: ["x", y]\nb: {}\nc: []\n',
  'a: one\n  two\n',
  'a: "\\t\\"x\\""\n',
])('it takes %j without the library', (text) => {
  expect(parseBlockYaml(text, 50)).toBeDefined();
});
