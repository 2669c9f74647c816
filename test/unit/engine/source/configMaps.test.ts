import { describe, expect, test } from 'vitest';
import {
  type ConfigMap,
  type ConfigMapSource,
  filesOfConfigMaps,
} from '../../../../engine/source/configMaps.ts';
import { tarGzOf } from '../../../support/archive.ts';

const map = (name: string, content: Partial<ConfigMap>): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...content,
});
const SELECTED: ConfigMapSource = { selector: { matchLabels: { app: 'web' } } };

async function read(
  source: ConfigMapSource,
  items: ConfigMap[],
  more = false,
): Promise<{ revision: string; files: [string, string][] }> {
  const { revision, files } = await filesOfConfigMaps(source, {
    namespace: 'apps',
    labelSelector: 'app=web',
    items,
    more,
  });
  return { revision, files: files.map(({ path, content }) => [path, Buffer.from(content).toString()]) };
}

const TWO = { data: { 'b.yaml': 'b' }, binaryData: { 'a.yaml': Buffer.from('a').toString('base64') } };

describe('the files of ConfigMaps', () => {
  test.each<[string, ConfigMapSource, ConfigMap[], [string, string][]]>([
    [
      'by name: its keys in order',
      { name: 'one' },
      [map('one', TWO)],
      [
        ['a.yaml', 'a'],
        ['b.yaml', 'b'],
      ],
    ],
    [
      'by selector: in a folder for each',
      SELECTED,
      [map('one', TWO), map('two', { data: { c: 'c' } })],
      [
        ['one/a.yaml', 'a'],
        ['one/b.yaml', 'b'],
        ['two/c', 'c'],
      ],
    ],
    [
      'one key, whatever it is called',
      { name: 'one', key: 'all' },
      [map('one', { data: { all: 'x', other: 'y' } })],
      [['all.yaml', 'x']],
    ],
    [
      'an archive, unpacked',
      { name: 'one' },
      [
        map('one', {
          binaryData: { 'x.tgz': tarGzOf([{ path: 'd/a.yaml', content: 'a' }]).toString('base64') },
        }),
      ],
      [['d/a.yaml', 'a']],
    ],
  ])('%s', async (_, source, items, files) => {
    expect((await read(source, items)).files).toEqual(files);
  });

  test('have a revision that says what they hold', async () => {
    const { revision } = await read({ name: 'one' }, [map('one', TWO)]);
    expect((await read({ name: 'one' }, [map('one', TWO)])).revision).toBe(revision);
    expect((await read({ name: 'one' }, [map('one', { ...TWO, data: {} })])).revision).not.toBe(revision);
  });

  test.each<[string, ConfigMapSource, ConfigMap[], boolean, string]>([
    ['absent', { name: 'one' }, [], false, 'the source ConfigMap one in apps does not exist'],
    [
      'none of them',
      SELECTED,
      [],
      false,
      'no ConfigMap in apps matches spec.source.configMap.selector "app=web"',
    ],
    ['too many', SELECTED, [map('one', {})], true, 'more than 100 ConfigMaps in apps match'],
    [
      'without the key',
      { name: 'one', key: 'x' },
      [map('one', TWO)],
      false,
      'has no key "x" (spec.source.configMap.key); its keys: a.yaml, b.yaml',
    ],
  ])('%s are refused', async (_, source, items, more, message) => {
    await expect(read(source, items, more)).rejects.toThrow(message);
  });
});
