import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseJsonStream } from '../../../engine/render/json.ts';
import { parseYaml } from '../../../engine/render/yaml.ts';
import { useCluster } from '../../controlplane/fixture.ts';

/** As kubectl reads it, so does Convoy: kubectl itself is the measure. */
const cluster = useCluster();
let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'convoy-yaml-'))));
afterAll(() => rm(folder, { recursive: true }));

const SCALARS = [
  ...[
    'y',
    'Y',
    'yes',
    'Yes',
    'YES',
    'yES',
    'n',
    'N',
    'no',
    'NO',
    'on',
    'On',
    'off',
    'OFF',
    'true',
    'True',
    'tRUE',
    'false',
  ],
  ...[
    '~',
    'null',
    'Null',
    'nULL',
    '""',
    "''",
    '+',
    '.',
    '..',
    '<<a',
    '=',
    '0',
    '-0',
    '+1',
    '-1',
    '1_000',
    '_1',
    '1_',
  ],
  ...[
    '0644',
    '0o17',
    '0O17',
    '08',
    '09.5',
    '00',
    '0x1F',
    '0X1f',
    '-0x1F',
    '0xZ',
    '0b101',
    '-0b101',
    '0b2',
    '0_7',
  ],
  ...[
    '1e3',
    '1E3',
    '1e+3',
    '1e-3',
    '1e',
    'e3',
    '1.',
    '.5',
    '-.5',
    '+.5',
    '.5_0',
    '._5',
    '.5_',
    '.5__0',
    '.5e1_0',
    '.5_e1',
    '.e3',
    '1.50',
    '1.2.3',
    '0.1',
    '1e21',
    '1e-7',
    '1e999',
  ],
  ...['1:30', '12:30:45', '2001-01-01', '2001-1-1', '2001-12-14T21:59:43Z', '2001-12-14 21:59:43', '2001'],
  ...[
    '9007199254740991',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '18446744073709551615',
  ],
  ...[
    '"1"',
    "'yes'",
    '"\\t\\x41\\u00e9"',
    '100m',
    '1Gi',
    '10.0.0.0/8',
    '::1',
    'a#b',
    'a: # b'.slice(0, 1),
    '!!str 1',
    '!!int "3"',
    '!!float 2',
  ],
  ...[
    '[1, yes, "x"]',
    '{a: 1, b: [c]}',
    '[]',
    '{}',
    '|\n  x\n   y\n',
    '|-\n  x\n',
    '|+\n  x\n\n',
    '>\n  x\n  y\n\n  z\n',
    '>-\n  x\n    y\n  z\n',
  ],
  ...[
    'one\n  two\n\n  three',
    '"one\n  two\\\n  three"',
    "'one\n\n  two'",
    '\n- 1\n- 2',
    '\n  - 1\n  - a: b\n    c: d',
  ],
  ...[
    '&x {b: 1, c: 2}\nother:\n  <<: *x\n  c: 3',
    '&x {b: 1, c: 2}\nother:\n  c: 3\n  <<: *x',
    '&x {b: 1}\nother: [*x, *x]',
  ],
];

const withValue = (yaml: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\nvalue: ${yaml}\n`;

/** kubectl prints one JSON object after the other. */
async function readByKubectl(text: string): Promise<unknown[]> {
  const path = join(folder, 'manifest.yaml');
  await writeFile(path, text);
  const printed = await cluster.kubectl(
    'create',
    '--dry-run=client',
    '--validate=false',
    '-o',
    'json',
    '-f',
    path,
  );
  return parseJsonStream(printed, 100).map(({ value }) => rounded(value));
}

/** kubectl rounds what no double holds; only then the two may differ, and only by that. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface Read {
  value?: unknown;
  other?: unknown;
}

test('scalars, blocks, flow collections, anchors and merges are what kubectl makes of them', async () => {
  const text = SCALARS.map(withValue).join('---\n');
  const listed = (await readByKubectl(text)) as Read[];
  const ours = parseYaml(text, 'manifest.yaml').map(({ value }) => rounded(value) as Read);
  expect(ours).toHaveLength(SCALARS.length);
  const side = (read: Read[]) =>
    SCALARS.map((yaml, i) => ({ yaml, value: read[i]?.value, other: read[i]?.other }));
  expect(side(ours)).toEqual(side(listed));
});

test('JSON, several documents, comments and line ends are read alike', async () => {
  const texts = [
    `# head\n---\n${withValue('1')}--- # next\n\n# nothing\n---\n${withValue('2')}`,
    '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "value": [1.0, 1e3, 9007199254740993]}',
    withValue('|\n  x\n  y').replaceAll('\n', '\r\n'),
    `\ufeff${withValue('1')}`,
  ];
  for (const text of texts) {
    const ours = parseYaml(text, 'manifest.yaml').map(({ value }) => (rounded(value) as Read).value);
    const theirs = (await readByKubectl(text)) as Read[];
    expect({ text, values: ours }).toEqual({ text, values: theirs.map(({ value }) => value) });
  }
});

test.each([
  ['a tab as indentation', 'a:\n\tb: 1'],
  ['a NUL byte', '"\0"'],
  ['an unclosed quote', '"x'],
  ['an alias without anchor', '*x'],
  ['not a number', '.nan'],
  ['a colon that makes no sense', 'a: b: c'],
])('%s is refused by both', async (_, yaml) => {
  await expect(readByKubectl(withValue(yaml))).rejects.toThrow(/error/);
  expect(() => parseYaml(withValue(yaml), 'manifest.yaml')).toThrow(/^manifest\.yaml:\d+: /);
});
