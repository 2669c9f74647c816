import { describe, expect, test } from 'vitest';
import type { ReleaseSpec } from '../../../api/release.ts';
import { configMapYaml } from '../../support/releases.ts';
import { expectRefused } from './badInput.ts';
import { documents, useReleases } from './fixture.ts';

const releases = useReleases();

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {tier: front}}
spec:
  replicas: 1
  paused: true
  minReadySeconds: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      initContainers: [{name: init, image: "registry.example:5000/tools:1"}]
      containers: [{name: web, image: "registry.example:5000/web:1"}]
`;
const SECRET = 'apiVersion: v1\nkind: Secret\nmetadata: {name: web}\nstringData: {old: a}\n';

type Mutations = NonNullable<ReleaseSpec['mutations']>;

async function apply(mutations: Mutations): Promise<void> {
  const inline = documents(configMapYaml('web', { a: '1', b: '2' }), DEPLOYMENT, SECRET);
  await releases.create({ source: { inline }, mutations });
  await releases.ready('Applied');
}

const config = () => releases.find('configmaps/web');
const deployment = () => releases.find('deployments/web', '/apis/apps/v1');
const ofDeployment = { group: 'apps', version: 'v1', kind: 'Deployment', name: 'w*' };
const ofConfig = { group: '', kind: 'ConfigMap' };

describe('the live objects show a mutation of the type', () => {
  test('syncWave, labels and annotations, on what they target alone', async () => {
    await apply([
      {
        type: 'syncWave',
        target: { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }] } },
        waveStrategy: { wave: 3, strategy: 'waitForHealthyWithTimeout', timeout: '1m' },
      },
      { type: 'labels', target: { namespace: releases.namespace }, labels: { team: 'a', tier: 'back' } },
      { type: 'annotations', target: ofConfig, annotations: { note: 'b' } },
    ]);
    expect((await deployment())?.metadata).toMatchObject({
      labels: { team: 'a', tier: 'back' },
      annotations: {
        'convoy.kumodo.io/sync-wave': '3',
        'convoy.kumodo.io/sync-strategy': 'waitForHealthyWithTimeout',
        'convoy.kumodo.io/sync-timeout': '1m',
      },
    });
    expect((await config())?.metadata).toMatchObject({
      labels: { team: 'a', tier: 'back' },
      annotations: { note: 'b' },
    });
    expect((await config())?.metadata['annotations']).not.toHaveProperty(['convoy.kumodo.io/sync-wave']);
  });

  test('images', async () => {
    const images = [
      { name: 'registry.example:5000/web', newTag: '2' },
      { name: 'registry.example:5000/tools', newName: 'tools' },
    ];
    await apply([{ type: 'images', images }]);
    expect(await deployment()).toMatchObject({
      spec: {
        template: {
          spec: {
            initContainers: [{ image: 'tools:1' }],
            containers: [{ image: 'registry.example:5000/web:2' }],
          },
        },
      },
    });
  });

  test('jsonPatch', async () => {
    await apply([
      {
        type: 'jsonPatch',
        target: ofDeployment,
        jsonPatch: [
          { op: 'test', path: '/spec/replicas', value: 1 },
          { op: 'replace', path: '/spec/replicas', value: 0 },
          { op: 'add', path: '/spec/template/spec/containers/-', value: { name: 'side', image: 'side' } },
          { op: 'copy', from: '/spec/minReadySeconds', path: '/spec/revisionHistoryLimit' },
          { op: 'move', from: '/metadata/labels/tier', path: '/metadata/labels/moved' },
          { op: 'remove', path: '/spec/minReadySeconds' },
        ],
      },
    ]);
    const live = await deployment();
    expect(live?.metadata.labels).toMatchObject({ moved: 'front' });
    expect(live?.metadata.labels).not.toHaveProperty('tier');
    expect(live).toMatchObject({ spec: { replicas: 0, revisionHistoryLimit: 3 } });
    expect(live?.['spec']).not.toHaveProperty('minReadySeconds');
    expect(live).toMatchObject({
      spec: { template: { spec: { containers: [{ name: 'web' }, { name: 'side' }] } } },
    });
  });

  test('mergePatch: null takes a field away, and text for a Secret is folded into its data', async () => {
    await apply([
      { type: 'mergePatch', target: ofConfig, mergePatch: { data: { a: null, c: '3' } } },
      { type: 'mergePatch', target: { kind: 'Secret' }, mergePatch: { stringData: { fresh: 'b' } } },
    ]);
    expect(await config()).toMatchObject({ data: { b: '2', c: '3' } });
    expect((await config())?.['data']).not.toHaveProperty('a');
    expect((await releases.find('secrets/web'))?.['data']).toEqual({ old: 'YQ==', fresh: 'Yg==' });
  });
});

test('null is a value for JSON patch: the API server keeps it in the Release', async () => {
  await apply([
    {
      type: 'jsonPatch',
      target: ofDeployment,
      jsonPatch: [{ op: 'add', path: '/spec/paused', value: null }],
    },
  ]);
  expect((await deployment())?.['spec']).not.toHaveProperty('paused');
});

test('a changed mutation is another render, applied without any change of the source', async () => {
  await apply([{ type: 'labels', labels: { team: 'a' } }]);
  const before = await releases.get();
  await releases.patch({ spec: { mutations: [{ type: 'labels', labels: { team: 'b' } }] } });
  const after = await releases.ready('Applied');
  expect((await config())?.metadata.labels).toMatchObject({ team: 'b' });
  expect(after.status?.lastSuccessful?.renderRef).not.toBe(before.status?.lastSuccessful?.renderRef);
});

test('the wave of a mutation is the wave that the object is applied in', async () => {
  await apply([
    { type: 'syncWave', target: ofDeployment, waveStrategy: { wave: -4, strategy: 'waitForApplied' } },
  ]);
  expect((await releases.get()).status?.waves?.map(({ number }) => number)).toEqual([-4, 0]);
});

test('a mutation that matches nothing is told by an event, and the render is applied', async () => {
  await apply([{ type: 'labels', labels: { a: 'b' }, target: { name: 'other*' } }]);
  await releases.event('Warning', 'RenderWarning', 'spec.mutations[0] matches no object');
});

const BAD = {
  source: { inline: documents(configMapYaml('standing', { render: 'bad' }), configMapYaml('fresh')) },
};

test.each([
  {
    name: 'a JSON patch of what is not there',
    mutations: [
      { type: 'labels', labels: { a: 'b' } },
      { type: 'jsonPatch', jsonPatch: [{ op: 'replace', path: '/data/none', value: '1' }] },
    ],
    says: [
      'spec.mutations[1].jsonPatch[0]: ConfigMap fresh in NS: replace /data/none: there is no /data/none',
      'correct the path',
    ],
  },
  {
    name: 'a test that fails',
    mutations: [
      {
        type: 'jsonPatch',
        target: { name: 'standing' },
        jsonPatch: [{ op: 'test', path: '/data/render', value: 'other' }],
      },
    ],
    says: ['spec.mutations[0].jsonPatch[0]: ConfigMap standing in NS: test /data/render: the value there'],
  },
  {
    name: 'a patch that makes two objects one',
    mutations: [{ type: 'mergePatch', mergePatch: { metadata: { name: 'one' } } }],
    says: ['ConfigMap one in NS stands in this render twice'],
  },
])('$name is RenderFailed, nothing is applied, and it heals', ({ name, mutations, says }) =>
  expectRefused(releases, {
    name,
    spec: { ...BAD, mutations },
    reason: 'RenderFailed',
    stage: 'Render',
    says,
  }),
);
