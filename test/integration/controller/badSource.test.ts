import { beforeEach, describe, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { type ArchiveEntry, tarGzOf } from '../../support/archive.ts';
import { type BadInput, expectNothingApplied, expectRefused } from './badInput.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

const GOOD: ArchiveEntry = { path: 'fresh.yaml', content: configMapYaml('fresh') };
const archive = (entry: ArchiveEntry): string => tarGzOf([GOOD, entry]).toString('base64');

/** Keys of the ConfigMap `source` that every test has. */
const DATA = { 'fresh.yaml': configMapYaml('fresh'), 'readme.md': 'no YAML' };
const BINARY = {
  'climbs.tar.gz': archive({ path: '../evil.yaml' }),
  'link.tar.gz': archive({ path: 'link.yaml', type: 'SymbolicLink', linkpath: '/etc/passwd' }),
  'cut.tar.gz': tarGzOf([GOOD]).subarray(0, 60).toString('base64'),
  'text.tar.gz': Buffer.from('kind: ConfigMap').toString('base64'),
  'latin1.yaml': Buffer.from('# caf\xe9\n', 'latin1').toString('base64'),
};

beforeEach(async () => {
  await releases.createConfigMap('source', { data: DATA, binaryData: BINARY });
  await releases.createConfigMap('plain', { data: DATA });
});

const keyOf = (key: string): object => ({ source: { inline: null, configMap: { name: 'source', key } } });
const FAILED = { reason: 'SourceFailed', stage: 'Source' } as const;

const CASES: readonly BadInput[] = [
  {
    ...FAILED,
    name: 'a ConfigMap that is absent',
    spec: { source: { inline: null, configMap: { name: 'absent' } } },
    says: ['ConfigMap absent in NS does not exist', 'create it, or correct spec.source.configMap.name'],
  },
  {
    ...FAILED,
    name: 'a selector that matches nothing',
    spec: { source: { inline: null, configMap: { selector: { matchLabels: { app: 'none' } } } } },
    says: ['no ConfigMap in NS matches', '"app=none"', 'label the ConfigMaps, or correct the selector'],
  },
  {
    ...FAILED,
    name: 'a key that the ConfigMap lacks',
    spec: keyOf('app.yaml'),
    says: ['ConfigMap source has no key "app.yaml"', 'spec.source.configMap.key', 'its keys: climbs.tar.gz'],
  },
  {
    ...FAILED,
    name: 'an archive with a path that climbs out',
    spec: keyOf('climbs.tar.gz'),
    says: [
      'ConfigMap source, key climbs.tar.gz',
      '"../evil.yaml" leaves the archive',
      'use paths below its root',
    ],
  },
  {
    ...FAILED,
    name: 'an archive with a symlink',
    spec: keyOf('link.tar.gz'),
    says: [
      'ConfigMap source, key link.tar.gz',
      '"link.yaml" is a SymbolicLink',
      'only files and folders are taken',
    ],
  },
  {
    ...FAILED,
    name: 'an archive that is cut off',
    spec: keyOf('cut.tar.gz'),
    says: ['ConfigMap source, key cut.tar.gz', 'no readable tar.gz', 'pack it again'],
  },
  {
    ...FAILED,
    name: 'an archive that is none',
    spec: keyOf('text.tar.gz'),
    says: ['ConfigMap source, key text.tar.gz', 'no readable tar.gz', 'pack it again'],
  },
  {
    name: 'a key without YAML below content.path',
    spec: { source: { inline: null, configMap: { name: 'plain' } }, content: { path: './deploy' } },
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['content.path "./deploy"', 'no .yaml, .yml or .json file', 'correct the path; the source has'],
  },
  {
    name: 'a content.path that leaves the source',
    spec: { content: { path: '../secrets' } },
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['content.path "../secrets"', 'leaves the source', 'without ".."'],
  },
  {
    name: 'a file that is no UTF-8',
    spec: keyOf('latin1.yaml'),
    reason: 'RenderFailed',
    stage: 'Render',
    says: ['latin1.yaml', 'not UTF-8', 'save it as UTF-8'],
  },
];

describe('a Release that gets', () => {
  test.each(CASES)('$name says so, changes nothing, and heals when it is mended', (bad) =>
    expectRefused(releases, bad),
  );
});

describe('a new Release applies nothing', () => {
  test('of an absent ConfigMap', () =>
    expectNothingApplied(releases, { source: { configMap: { name: 'absent' } } }, 'SourceFailed'));

  test('of an archive with one bad entry among good ones', () =>
    expectNothingApplied(
      releases,
      { source: { configMap: { name: 'source', key: 'link.tar.gz' } } },
      'SourceFailed',
    ));
});
