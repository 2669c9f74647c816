import { expect, test } from 'vitest';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, sourceOf } from '../../support/wavedObjects.ts';
import { isEstablished } from '../kube/boats.ts';
import type { Release } from '../../../api/release.ts';
import { condition, documents, NAME, namesIn, useReleases } from './fixture.ts';
import { boatCrdYaml } from './objects.ts';

const releases = useReleases();

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WAVE_3 = { annotations: { 'convoy.kumodo.io/sync-wave': '3' } };
const LABELS = { app: 'web' };
const SINGLE = { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] };
const template = (image = 'registry.example/main:1'): object => ({
  metadata: { labels: LABELS },
  spec: { restartPolicy: 'Always', containers: [{ name: 'main', image }] },
});

/** A CRD whose `spec.masts` cannot change, as operators write it. */
const boatCrd = (group: string): string =>
  boatCrdYaml(group).replace(
    'masts: {type: integer}',
    'masts: {type: integer, x-kubernetes-validations: [{rule: self == oldSelf, message: Value is immutable}]}',
  );

interface Immutable {
  what: string;
  apiVersion: string;
  kind: string;
  before: object;
  after: object;
  /** The field as the message names it. */
  field: string;
}

const KINDS: readonly Immutable[] = [
  {
    what: 'data of an immutable ConfigMap',
    apiVersion: 'v1',
    kind: 'ConfigMap',
    before: { immutable: true, data: { a: '1' } },
    after: { immutable: true, data: { a: '2' } },
    field: 'data',
  },
  {
    what: 'selector of a Deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    before: { spec: { replicas: 0, selector: { matchLabels: LABELS }, template: template() } },
    after: {
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'other' } },
        template: { ...template(), metadata: { labels: { app: 'other' } } },
      },
    },
    field: 'spec.selector',
  },
  {
    what: 'template of a Job',
    apiVersion: 'batch/v1',
    kind: 'Job',
    before: {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'one:1' }] } },
      },
    },
    after: {
      spec: {
        suspend: true,
        template: { spec: { restartPolicy: 'OnFailure', containers: [{ name: 'main', image: 'one:1' }] } },
      },
    },
    field: 'spec.template',
  },
  {
    what: 'serviceName of a StatefulSet',
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    before: {
      spec: { replicas: 0, serviceName: 'one', selector: { matchLabels: LABELS }, template: template() },
    },
    after: {
      spec: { replicas: 0, serviceName: 'two', selector: { matchLabels: LABELS }, template: template() },
    },
    field: 'spec',
  },
  {
    what: 'address of a Service',
    apiVersion: 'v1',
    kind: 'Service',
    before: { spec: { ...SINGLE, clusterIP: 'None', ports: [{ port: 80 }] } },
    after: { spec: { ...SINGLE, clusterIP: '10.96.200.200', ports: [{ port: 80 }] } },
    field: 'spec.clusterIPs',
  },
  {
    what: 'class of a claim',
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    before: {
      spec: {
        storageClassName: 'one',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    },
    after: {
      spec: {
        storageClassName: 'two',
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    },
    field: 'spec',
  },
  {
    what: 'role of a RoleBinding',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    before: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    after: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' } },
    field: 'roleRef',
  },
];

const WAVES = [0, 1, 2];

/** Three waves of one ConfigMap each, then the object. */
function source(value: string, last: object): string {
  const waves = WAVES.map((wave) => ({ ...configMapIn({ wave }, `wave-${wave}`), data: { value } }));
  return sourceOf(...waves, last);
}

async function untilApplied(inline: string): Promise<void> {
  await releases.create({
    source: { inline },
    healthAssessment: {},
    syncPolicy: { defaultStrategy: 'waitForHealthy' },
  });
  await releases.until((release) => condition(release, 'Applied')?.reason === 'Applied');
}

const applied = async (): Promise<unknown[]> =>
  await Promise.all(WAVES.map((wave) => releases.find(`configmaps/wave-${wave}`)));

/** Without their health: objects become healthy after they are applied. */
const wavesOf = ({ status }: Release): object[] =>
  (status?.waves ?? []).map((wave) => ({ ...wave, healthy: undefined }));

/** The new source is refused with these words, and nothing of it is applied. */
async function expectRefused(inline: string, ...says: string[]): Promise<void> {
  const [before, objects] = [await releases.get(), await applied()];
  await releases.inline(inline);
  const refused = await releases.ready('DryRunFailed');
  for (const part of says) expect(readyMessage(refused)).toContain(part);
  expect(readyMessage(refused)).toContain('nothing was applied');
  expect(await applied()).toEqual(objects);
  expect(refused.status?.lastSuccessful).toEqual(before.status?.lastSuccessful);
  expect(wavesOf(refused)).toEqual(wavesOf(before));
}

test.each(KINDS)(
  'an immutable $what in wave 3 is found before wave 0 changes anything',
  async ({ apiVersion, kind, before, after, field }) => {
    const object = { apiVersion, kind, metadata: { name: 'web', ...WAVE_3 } };
    await untilApplied(source('1', { ...object, ...before }));
    await expectRefused(
      source('2', { ...object, ...after }),
      `${kind} web`,
      field,
      'convoy.kumodo.io/update-policy: Recreate',
    );
  },
);

const boat = (group: string, spec: object): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Boat',
  metadata: { name: 'ferry', ...WAVE_3 },
  spec,
});

test('so is one of a custom resource whose type is there', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  await releases.create({ source: { inline: boatCrd(group) } }, { name: 'types' });
  await releases.ready('Applied', 'types');
  await releases.cluster.api.waitForNamed(CRDS, `boats.${group}`, isEstablished);
  await untilApplied(source('1', boat(group, { masts: 1 })));
  await expectRefused(
    source('2', boat(group, { masts: 2 })),
    `${group}/Boat ferry`,
    'spec.masts',
    'convoy.kumodo.io/update-policy: Recreate',
  );
  await releases.cluster.kubectl(
    'delete',
    'release',
    NAME,
    'types',
    '-n',
    releases.namespace,
    '--timeout=40s',
  );
});

test('so is one of a custom resource whose type the source brings as it was', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const of = (value: string, masts: number): string =>
    documents(boatCrd(group), source(value, boat(group, { masts })));
  await untilApplied(of('1', 1));
  await expectRefused(
    of('2', 2),
    `${group}/Boat ferry`,
    'spec.masts',
    'convoy.kumodo.io/update-policy: Recreate',
  );
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
});

test('an instance of a type that changes with it is applied, though the type as it was would refuse it', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const crd = boatCrdYaml(group);
  await untilApplied(documents(crd, source('1', boat(group, { masts: 1 }))));
  const grown = crd.replace('masts: {type: integer}', 'masts: {type: integer}, flag: {type: string}');
  await releases.inline(documents(grown, source('2', boat(group, { masts: 1, flag: 'NL' }))));
  await releases.ready('Applied');
  expect((await releases.find('boats/ferry', `/apis/${group}/v1`))?.['spec']).toEqual({
    masts: 1,
    flag: 'NL',
  });
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
});

const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn).sort();

test('of an update whose wave 2 is refused, the inventory holds what was applied and what stood before', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const PRUNE = { prune: { orphaned: true } };
  const inline = sourceOf(configMapIn({ wave: 0 }, 'kept'), configMapIn({ wave: 1 }, 'old'));
  await releases.create({ source: { inline }, syncPolicy: PRUNE });
  await releases.ready('Applied');

  // Its type comes with the render, so no dry run can test it.
  const update = (masts: unknown): string =>
    documents(
      boatCrdYaml(group),
      sourceOf(
        { ...configMapIn({ wave: 0 }, 'kept'), data: { value: 'new' } },
        configMapIn({ wave: 1 }, 'new'),
        {
          ...boat(group, { masts }),
          metadata: { name: 'ferry', annotations: { 'convoy.kumodo.io/sync-wave': '2' } },
        },
        configMapIn({ wave: 3 }, 'never'),
      ),
    );
  await releases.inline(update('three'));
  const failed = await releases.ready('ApplyFailed');
  expect(readyMessage(failed)).toContain('spec.masts');
  expect(failed.status?.waves?.map(({ number, applied: count }) => [number, count])).toEqual([
    [0, 2],
    [1, 1],
    [2, 0],
  ]);
  expect((await releases.find('configmaps/kept'))?.['data']).toEqual({ value: 'new' });
  expect(await listed()).toEqual([`boats.${group}`, 'ferry', 'kept', 'never', 'new', 'old']);
  expect(await releases.find('configmaps/old')).toBeDefined();

  await releases.inline(update(3));
  await releases.ready('Applied');
  expect(await listed()).toEqual([`boats.${group}`, 'ferry', 'kept', 'never', 'new']);
  expect(await releases.find('configmaps/old')).toBeUndefined();
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  for (const name of ['kept', 'new', 'never'])
    expect(await releases.find(`configmaps/${name}`)).toBeUndefined();
});

test('a Release that is deleted after such an update takes all of it', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  await releases.create({ source: { inline: sourceOf(configMapIn({ wave: 0 }, 'old')) } });
  await releases.ready('Applied');
  const bad = { ...boat(group, { masts: 'three' }) };
  await releases.inline(documents(boatCrdYaml(group), sourceOf(configMapIn({ wave: 1 }, 'new'), bad)));
  await releases.ready('ApplyFailed');
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  for (const name of ['old', 'new']) expect(await releases.find(`configmaps/${name}`)).toBeUndefined();
  expect(await releases.findAt(`${CRDS}/boats.${group}`)).toBeUndefined();
});
