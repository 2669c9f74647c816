import { describe, expect, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

const SELECTOR = { selector: { matchLabels: { app: 'shop' } } };
const LABELS = { app: 'shop' };
/** A change of a source is not polled for: this is far below any interval, and generous on a busy machine (ms). */
const AT_ONCE_MS = 1_000;

const yaml = (name: string, value = 'one'): Record<string, string> => ({
  'a.yaml': configMapYaml(name, { value }),
});

/** Waits for the value of an applied ConfigMap, and gives how long that took since `since`. */
async function seen(name: string, value: string, since: number): Promise<number> {
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps`;
  await releases.cluster.api.waitForNamed(
    path,
    name,
    (object) => (object['data'] as Record<string, string> | undefined)?.['value'] === value,
  );
  return performance.now() - since;
}

/** The shortest of a few: the others wait for the machine. */
async function shortest(times: number, measure: (round: number) => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < times; round++) all.push(await measure(round));
  return Math.min(...all);
}

describe('a Release follows its source at once:', () => {
  test('a ConfigMap that changes', async () => {
    await releases.createConfigMap('source', { data: yaml('web') });
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('Applied');
    const took = await shortest(3, async (round) => {
      const since = performance.now();
      await releases.patchConfigMap('source', { data: yaml('web', `round ${round}`) });
      return await seen('web', `round ${round}`, since);
    });
    console.log(`a changed ConfigMap is applied after ${took.toFixed(0)} ms`);
    expect(took).toBeLessThan(AT_ONCE_MS);
  });

  test('a ConfigMap that was missing and is created', async () => {
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('SourceFailed');
    const since = performance.now();
    await releases.createConfigMap('source', { data: yaml('web') });
    const took = await seen('web', 'one', since);
    console.log(`a created ConfigMap is applied after ${took.toFixed(0)} ms`);
    expect(took).toBeLessThan(AT_ONCE_MS);
    await releases.ready('Applied');
  });

  test('a ConfigMap that is deleted and created again', async () => {
    await releases.createConfigMap('source', { data: yaml('web') });
    await releases.create({ source: { configMap: { name: 'source' } } });
    await releases.ready('Applied');
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/configmaps/source`);
    await releases.ready('SourceFailed');
    expect(await releases.find('configmaps/web')).toBeDefined();
    await releases.createConfigMap('source', { data: yaml('web', 'two') });
    await releases.ready('Applied');
    expect((await releases.find('configmaps/web'))?.['data']).toEqual({ value: 'two' });
  });

  test('a ConfigMap that begins to match the selector, and one that stops', async () => {
    await releases.createConfigMap('first', { data: yaml('a') }, LABELS);
    await releases.createConfigMap('second', { data: yaml('b') });
    await releases.create({ source: { configMap: SELECTOR }, syncPolicy: { prune: { orphaned: true } } });
    await releases.ready('Applied');
    await releases.patchConfigMap('second', { metadata: { labels: LABELS } });
    await releases.until(({ status }) => status?.inventory?.entries === 2);
    expect(await releases.find('configmaps/b')).toBeDefined();
    await releases.patchConfigMap('first', { metadata: { labels: { app: null } } });
    await releases.until(({ status }) => status?.inventory?.entries === 1);
    expect(await releases.find('configmaps/a')).toBeUndefined();
    await releases.patchConfigMap('second', { metadata: { labels: { app: null } } });
    await releases.ready('SourceFailed');
    expect(await releases.find('configmaps/b')).toBeDefined();
  });

  test('another source than before', async () => {
    await releases.createConfigMap('source', { data: yaml('web') });
    await releases.create({ source: { configMap: { name: 'source' } } });
    const { status } = await releases.ready('Applied');
    await releases.inline(configMapYaml('web', { value: 'inline' }));
    await seen('web', 'inline', performance.now());
    expect((await releases.ready('Applied')).status?.source).not.toEqual(status?.source);
  });

  test('two Releases of one ConfigMap, of which one goes', async () => {
    await releases.createConfigMap('source', { data: { 'a.yaml': configMapYaml('web', { value: 'one' }) } });
    const spec = { source: { configMap: { name: 'source' } } };
    await releases.create(spec);
    await releases.create({ ...spec, targetNamespace: 'default', suspend: true }, { name: 'other' });
    await releases.ready('Applied');
    await releases.ready('Suspended', 'other');
    await releases.cluster.kubectl('delete', 'release', 'other', '-n', releases.namespace, '--timeout=30s');
    await releases.patchConfigMap('source', { data: yaml('web', 'two') });
    await seen('web', 'two', performance.now());
  });
});
