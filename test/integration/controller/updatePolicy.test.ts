import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { readyMessage } from '../../support/releases.ts';
import { deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { condition, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

type Annotations = Record<string, string>;
const RECREATE = { 'convoy.kumodo.io/update-policy': 'Recreate' };
const ONCE = { 'convoy.kumodo.io/update-policy': 'Once' };

function configMap(name: string, data: object, annotations: Annotations = {}, more: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data, ...more };
}

const sealed = (value: string, annotations: Annotations = RECREATE, more: object = {}): object => ({
  ...configMap('sealed', { value }, annotations, { immutable: true }),
  ...more,
});

async function create(...objects: object[]): Promise<void> {
  await releases.create({ source: { inline: sourceOf(...objects) } });
  await releases.ready('Applied');
}

async function change(...objects: object[]): Promise<void> {
  await releases.inline(sourceOf(...objects));
}

const uidOf = (object: ApiObject | undefined): string | undefined => object?.metadata.uid;

async function patch(path: string, body: object): Promise<void> {
  await releases.cluster.api.must('PATCH', path, body);
}

const path = (collection: string): string => `/api/v1/namespaces/${releases.namespace}/${collection}`;

describe('an immutable field that differs', () => {
  test('is found before anything is applied; field and remedy are named', async () => {
    await create(configMap('plain', { a: '1' }), sealed('one', {}));
    await change(configMap('plain', { a: '2' }), sealed('two', {}));
    const message = readyMessage(await releases.ready('DryRunFailed'));
    expect(message).toContain(`ConfigMap sealed in ${releases.namespace}: data: field is immutable`);
    expect(message).toContain('convoy.kumodo.io/update-policy: Recreate');
    expect((await releases.find('configmaps/plain'))?.['data']).toEqual({ a: '1' });
  });

  test('recreates an object that says so, and no other', async () => {
    await create(configMap('plain', { a: '1' }), sealed('one'));
    const [plain, first] = [
      await releases.find('configmaps/plain'),
      await releases.find('configmaps/sealed'),
    ];
    await change(configMap('plain', { a: '2' }), sealed('two'));
    const { status } = await releases.ready('Applied');
    const second = await releases.find('configmaps/sealed');
    expect(second?.['data']).toEqual({ value: 'two' });
    expect(uidOf(second)).not.toBe(uidOf(first));
    expect(uidOf(await releases.find('configmaps/plain'))).toBe(uidOf(plain));
    expect(status?.inventory).toEqual({ entries: 2, shards: 1 });
    const [shard] = await releases.inventory();
    expect(JSON.stringify(shard)).toContain(uidOf(second));
  });

  test('is no reason to recreate what a new object would be refused for as well', async () => {
    await create(sealed('one'));
    const first = await releases.find('configmaps/sealed');
    await change(sealed('two', RECREATE, { data: { 'no key!': 'two' } }));
    expect(readyMessage(await releases.ready('DryRunFailed'))).toContain('no key!');
    expect(await releases.find('configmaps/sealed')).toEqual(first);
  });

  test('does not recreate what is annotated prune: disabled', async () => {
    const kept = { ...RECREATE, 'convoy.kumodo.io/prune': 'disabled' };
    await create(sealed('one', kept));
    const first = await releases.find('configmaps/sealed');
    await change(sealed('two', kept));
    expect(readyMessage(await releases.ready('DryRunFailed'))).toContain('prune: disabled');
    expect(await releases.find('configmaps/sealed')).toEqual(first);
  });

  test('recreates an object that a finalizer holds, when it is gone', async () => {
    await create(sealed('one'));
    const first = await releases.find('configmaps/sealed');
    await patch(path('configmaps/sealed'), { metadata: { finalizers: ['example.org/hold'] } });
    await change(sealed('two'));
    await releases.cluster.api.waitForNamed(
      path('configmaps'),
      'sealed',
      ({ metadata }) => metadata['deletionTimestamp'] !== undefined,
    );
    await patch(path('configmaps/sealed'), { metadata: { finalizers: null } });
    await releases.ready('Applied');
    const second = await releases.find('configmaps/sealed');
    expect(second?.['data']).toEqual({ value: 'two' });
    expect(uidOf(second)).not.toBe(uidOf(first));
  });

  test('does not recreate a CRD that has instances', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const crd = (scope: string): string =>
      boatCrdYaml(group)
        .replace('scope: Namespaced', `scope: ${scope}`)
        .replace('metadata: {', 'metadata: {annotations: {convoy.kumodo.io/update-policy: Recreate}, ');
    await releases.create({ source: { inline: `${crd('Namespaced')}---${boatYaml(group, 'ferry')}` } });
    await releases.ready('Applied');
    await releases.inline(crd('Cluster'));
    const message = readyMessage(await releases.ready('DryRunFailed'));
    expect(message).toContain(`1 instance of it would go with it: ${group}/Boat ferry`);
    expect(await releases.find('boats/ferry', `/apis/${group}/v1`)).toBeDefined();
    await releases.inline(`${crd('Namespaced')}---${boatYaml(group, 'ferry')}`);
    await releases.ready('Applied');
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  });
});

test('a StatefulSet is recreated around its pods, and keeps its claims', async () => {
  const labels = { app: 'db' };
  const statefulSet = (storage: string): object => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', annotations: RECREATE },
    spec: {
      replicas: 1,
      serviceName: 'db',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
        },
      ],
    },
  });
  await create(statefulSet('1Gi'));
  const pod = await releases.cluster.api.waitForNamed(path('pods'), 'db-0', () => true);
  const claim = await releases.cluster.api.waitForNamed(
    path('persistentvolumeclaims'),
    'data-db-0',
    () => true,
  );
  const first = await releases.find('statefulsets/db', '/apis/apps/v1');

  await change(statefulSet('2Gi'));
  await releases.ready('Applied');
  const second = await releases.find('statefulsets/db', '/apis/apps/v1');
  expect(uidOf(second)).not.toBe(uidOf(first));
  const adopted = await releases.cluster.api.waitForNamed(path('pods'), 'db-0', ({ metadata }) =>
    JSON.stringify(metadata['ownerReferences'] ?? []).includes(uidOf(second) ?? '-'),
  );
  expect(uidOf(adopted)).toBe(uidOf(pod));
  const kept = await releases.find('persistentvolumeclaims/data-db-0');
  expect(uidOf(kept)).toBe(uidOf(claim));
  expect(kept?.metadata['deletionTimestamp']).toBeUndefined();
});

describe('an object that is applied once', () => {
  test('is created, and never updated: neither by a new render nor where somebody edits it', async () => {
    await create(configMap('seed', { a: '1' }, ONCE));
    const first = await releases.find('configmaps/seed');
    expect(first?.['data']).toEqual({ a: '1' });
    await patch(path('configmaps/seed'), { data: { a: 'mine' } });
    await change(configMap('seed', { a: '2' }, ONCE), configMap('plain', {}));
    await releases.cluster.api.waitForNamed(path('configmaps'), 'plain', () => true);
    await releases.ready('Applied');
    const now = await releases.find('configmaps/seed');
    expect(now?.['data']).toEqual({ a: 'mine' });
    expect(uidOf(now)).toBe(uidOf(first));
  });

  test('is created again when it is gone', async () => {
    await create(configMap('seed', { a: '1' }, ONCE));
    await releases.cluster.api.must('DELETE', path('configmaps/seed'));
    const again = await releases.cluster.api.waitForNamed(path('configmaps'), 'seed', () => true);
    expect(again['data']).toEqual({ a: '1' });
  });

  test('is left as it was where it existed before, even where its fields could not change, and stays when the Release goes', async () => {
    await releases.createConfigMap('sealed', { data: { value: 'old' }, immutable: true });
    const before = await releases.find('configmaps/sealed');
    await create(sealed('new', ONCE));
    expect(await releases.find('configmaps/sealed')).toEqual(before);
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
    expect(await releases.find('configmaps/sealed')).toEqual(before);
  });

  test('is assessed where it existed before, and news of its health arrive', async () => {
    const { metadata, ...rest } = deploymentIn({ wave: 0 }, 'db', {}, 0) as ApiObject;
    const deployments = `/apis/apps/v1/namespaces/${releases.namespace}/deployments`;
    await releases.cluster.api.must('POST', deployments, { ...rest, metadata });
    await releases.create({
      source: { inline: sourceOf({ ...rest, metadata: { ...metadata, annotations: ONCE } }) },
      healthAssessment: { deadline: '5m' },
    });
    const healthy = await releases.until((release) => condition(release, 'Healthy')?.reason === 'AllHealthy');
    expect(healthy.status?.conditions).toBeDefined();
    await patch(`${deployments}/db`, { spec: { paused: true } });
    const paused = await releases.until((release) => condition(release, 'Healthy')?.status !== 'True');
    expect(condition(paused, 'Healthy')?.message).toContain('Deployment db');
    const live = await releases.find('deployments/db', '/apis/apps/v1');
    expect(live?.metadata['labels']).toBeUndefined();
  });
});
