import { describe, expect, test } from 'vitest';
import { tarGzOf } from '../../support/archive.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

/** Names of the ConfigMaps that the Release has applied. */
async function applied(): Promise<string[]> {
  const selector = 'labelSelector=convoy.kumodo.io%2Frelease%3Dapp';
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps?${selector}`;
  const { items } = (await releases.cluster.api.must('GET', path)) as unknown as {
    items: { metadata: { name: string } }[];
  };
  return items.map(({ metadata }) => metadata.name).sort();
}

const YAML = (...names: string[]): string => documents(...names.map((name) => configMapYaml(name)));
const ARCHIVE = tarGzOf([
  { path: './deploy/b.yaml', content: YAML('b') },
  { path: 'deploy/sub/c.json', content: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}' },
  { path: 'other/d.yml', content: YAML('d') },
  { path: 'deploy/logo.png', content: '\u0000\u0001' },
]).toString('base64');
const SELECTOR = { selector: { matchLabels: { app: 'shop' } } };

describe('a Release applies', () => {
  test('what stands inline, and says which revision', async () => {
    await releases.create({ source: { inline: YAML('a', 'b') } });
    const { status } = await releases.ready('Applied');
    expect(await applied()).toEqual(['a', 'b']);
    expect(status?.source?.revision).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(status?.lastSuccessful?.revision).toBe(status?.source?.revision);
  });

  test('every YAML key of a ConfigMap, and no other', async () => {
    const data = { 'a.yaml': YAML('a'), 'b.yml': YAML('b'), 'readme.md': '# no YAML: [' };
    await releases.createConfigMap('source', { data });
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['a', 'b']);
  });

  test('one key of a ConfigMap, whatever it is called', async () => {
    await releases.createConfigMap('source', { data: { manifests: YAML('a'), 'b.yaml': YAML('b') } });
    await releases.create({ source: { configMap: { name: 'source', key: 'manifests' } } });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['a']);
  });

  test('an archive of a ConfigMap, below content.path alone', async () => {
    await releases.createConfigMap('source', { binaryData: { 'app.tar.gz': ARCHIVE } });
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['b', 'c', 'd']);
    await releases.patch({
      spec: { content: { path: './deploy' }, syncPolicy: { prune: { orphaned: true } } },
    });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['b', 'c']);
    await releases.patch({ spec: { content: { path: 'deploy/b.yaml' } } });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['b']);
  });

  test('several ConfigMaps by selector, with paths that start with their names', async () => {
    await releases.createConfigMap('second', { data: { 'a.yaml': YAML('b') } }, { app: 'shop' });
    await releases.createConfigMap('first', { data: { 'a.yaml': YAML('a') } }, { app: 'shop' });
    await releases.createConfigMap('foreign', { data: { 'a.yaml': YAML('x') } }, { app: 'else' });
    await releases.create({ source: { configMap: SELECTOR } });
    await releases.ready('Applied');
    expect(await applied()).toEqual(['a', 'b']);
    await releases.patch({ spec: { content: { path: 'second' } } });
    await releases.ready('Applied');
    expect((await releases.inventory()).flatMap(namesIn)).toEqual(['b']);
  });

  test('a part of an archive over 256 KiB, rendered off the main thread', async () => {
    const files = Array.from({ length: 40 }, (_, index) => ({
      path: `${index}.yaml`,
      content: configMapYaml(`big-${index}`, { text: 'x'.repeat(10_000) }),
    }));
    const binaryData = { 'app.tar.gz': tarGzOf(files).toString('base64') };
    await releases.createConfigMap('source', { binaryData });
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('Applied');
    expect(await applied()).toHaveLength(40);
  });
});
