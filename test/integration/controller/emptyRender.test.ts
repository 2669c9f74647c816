import { describe, expect, test } from 'vitest';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, NAME, namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

const ALLOW = 'convoy.kumodo.io/allow-empty';
const PRUNE = { prune: { orphaned: true } };
const BOTH = documents(configMapYaml('one'), configMapYaml('two'));

const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn);
const allow = (value: string | null): object => ({ metadata: { annotations: { [ALLOW]: value } } });

async function standing(more: object = {}): Promise<void> {
  await releases.create({ source: { inline: BOTH }, syncPolicy: PRUNE, ...more });
  await releases.ready('Applied');
}

/** All stands as it did, and the message says what to do. */
async function expectRefused(): Promise<void> {
  const refused = await releases.ready('RenderFailed');
  expect(readyMessage(refused)).toContain(ALLOW);
  expect(condition(refused, 'Applied')).toMatchObject({ status: 'True' });
  expect(refused.status?.lastAttempted?.failure?.stage).toBe('Render');
  expect(await listed()).toEqual(['one', 'two']);
  for (const name of ['one', 'two']) expect(await releases.find(`configmaps/${name}`)).toBeDefined();
}

async function expectGone(): Promise<void> {
  for (const name of ['one', 'two']) expect(await releases.find(`configmaps/${name}`)).toBeUndefined();
}

describe('a render of no object is refused', () => {
  test.each([
    ['comments', '# all is commented out\n'],
    ['empty documents', '---\n---\n'],
    ['null', 'null\n'],
    ['a List without items', 'apiVersion: v1\nkind: List\nitems: []\n'],
    ['a typed list without items', 'apiVersion: v1\nkind: ConfigMapList\nitems: []\n'],
    ['a kustomization', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n'],
  ])('where the source holds %s', async (_, inline) => {
    await standing();
    await releases.inline(inline);
    await expectRefused();
  });

  test('where a ConfigMap is emptied, and mended by filling it again', async () => {
    await releases.createConfigMap('source', { data: { 'objects.yaml': BOTH } });
    await releases.create({ source: { configMap: { name: 'source' } }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.patchConfigMap('source', { data: { 'objects.yaml': '' } });
    await expectRefused();
    await releases.patchConfigMap('source', { data: { 'objects.yaml': BOTH } });
    await releases.ready('Applied');
  });

  test('where the annotation is not "true", and by a forced sync too', async () => {
    await standing();
    await releases.patch(allow('yes'));
    await releases.inline('---\n');
    await expectRefused();
    const request = JSON.stringify({ id: 'now', force: true });
    await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/sync': request } } });
    await releases.until(({ status }) => status?.sync?.recent?.some(({ id }) => id === 'now') === true);
    await expectRefused();
  });
});

describe('a render of no object that is meant', () => {
  test('removes all that was applied, and is applied', async () => {
    await standing();
    await releases.inline('---\n');
    await expectRefused();
    await releases.patch(allow('true'));
    const done = await releases.ready('Applied');
    expect(readyMessage(done)).toBe('0 objects in 0 waves applied');
    expect(done.status?.inventory).toMatchObject({ entries: 0 });
    expect(done.status?.lastAttempted).not.toHaveProperty('failure');
    await expectGone();
    expect(await listed()).toEqual([]);
  });

  test('is healthy where health is assessed, and a rollout of it succeeds', async () => {
    await standing({ healthAssessment: { deadline: '5m' }, failurePolicy: { rollback: 'OnReleaseFailure' } });
    await releases.patch({ ...allow('true'), spec: { source: { inline: '---\n' } } });
    const done = await releases.until(
      ({ status }) => status?.rollout?.state === 'Succeeded' && status.inventory?.entries === 0,
    );
    expect(condition(done, 'Healthy')).toMatchObject({ status: 'True' });
    expect(done.status?.lastHealthy?.renderRef).toBe(done.status?.lastSuccessful?.renderRef);
    await expectGone();
  });

  test('leaves what was applied without prune, and forgets it', async () => {
    await standing({ syncPolicy: {} });
    await releases.patch({ ...allow('true'), spec: { source: { inline: '---\n' } } });
    await releases.until(({ status }) => status?.inventory?.entries === 0);
    for (const name of ['one', 'two']) expect(await releases.find(`configmaps/${name}`)).toBeDefined();
    expect(await listed()).toEqual([]);
  });

  test('can be the first, be filled, and goes with its Release', async () => {
    await releases.create(
      { source: { inline: '---\n' }, syncPolicy: PRUNE },
      { annotations: { [ALLOW]: 'true' } },
    );
    await releases.ready('Applied');
    await releases.inline(BOTH);
    await releases.ready('Applied');
    expect(await listed()).toEqual(['one', 'two']);
    await releases.inline('---\n');
    await releases.ready('Applied');
    await expectGone();
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
    expect(await releases.inventory()).toEqual([]);
  });

  test('is refused again when the annotation is taken off, and nothing changes by that', async () => {
    await standing();
    await releases.patch({ ...allow('true'), spec: { source: { inline: '---\n' } } });
    await releases.until(({ status }) => status?.inventory?.entries === 0);
    await releases.patch(allow(null));
    const refused = await releases.ready('RenderFailed');
    expect(condition(refused, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
  });
});
