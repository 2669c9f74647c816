import { expect, test } from 'vitest';
import { selectFiles } from '../../../../engine/render/files.ts';
import { messageOf } from './support.ts';

const files = (...paths: string[]) => paths.map((path) => ({ path, content: path }));
const selected = (paths: string[], contentPath?: string) =>
  selectFiles(files(...paths), contentPath).map(({ path }) => path);

test('YAML and JSON files are taken in the order of their paths, others are not', () => {
  expect(selected(['b.yml', 'a/c.json', 'README.md', 'a/b.yaml', 'B.YAML', 'Makefile'])).toEqual([
    'B.YAML',
    'a/b.yaml',
    'a/c.json',
    'b.yml',
  ]);
});

test.each(['deploy', './deploy', 'deploy/', './/deploy/.'])(
  'a content path %j takes what is below it alone',
  (path) => {
    expect(selected(['deploy/a.yaml', 'deploy/x/b.yaml', 'deploy2/c.yaml', 'd.yaml'], path)).toEqual([
      'deploy/a.yaml',
      'deploy/x/b.yaml',
    ]);
  },
);

test('a content path may name one file', () => {
  expect(selected(['a.yaml', 'b.yaml'], 'b.yaml')).toEqual(['b.yaml']);
});

test.each([
  '../a.yaml',
  'a/../../b.yaml',
  '/etc/passwd.yaml',
  String.raw`a\..\b.yaml`,
  'C:/a.yaml',
  'a\0.yaml',
  '.',
])('a file with the path %j is refused', (path) => {
  expect(messageOf(() => selectFiles(files('ok.yaml', path)))).toMatch(
    /this path leaves the source: pack files/,
  );
});

test.each(['..', '/', 'a/../..', '/a'])('the content path %j is refused', (path) => {
  expect(messageOf(() => selectFiles(files('a.yaml'), path))).toMatch(/^content\.path .* leaves the source/);
});

test('a content path without files is refused, and what there is is named', () => {
  expect(messageOf(() => selectFiles(files('a.yaml', 'b.yaml'), 'deploy'))).toBe(
    'content.path "deploy": there is no .yaml, .yml or .json file at or below it: correct the path; the source has a.yaml, b.yaml',
  );
});

test('bytes that are no UTF-8 are refused', () => {
  const content = Uint8Array.of(0x61, 0xff);
  expect(messageOf(() => selectFiles([{ path: 'a.yaml', content }]))).toMatch(
    /^a\.yaml: it is not UTF-8 text/,
  );
});

test('bytes are read as UTF-8', () => {
  expect(selectFiles([{ path: 'a.yaml', content: Buffer.from('é') }])).toEqual([
    { path: 'a.yaml', text: 'é' },
  ]);
});

test('two spellings of one path are refused', () => {
  expect(messageOf(() => selectFiles(files('a.yaml', './a.yaml')))).toMatch(
    /^a\.yaml: the source has this path twice/,
  );
});
