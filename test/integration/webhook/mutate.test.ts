import { beforeAll, expect, test } from 'vitest';
import { CONTROLLER_USER } from '../../../engine/admission/registration.ts';
import { labelValue } from '../../../api/labelValue.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { release, useAdmission } from './fixture.ts';

const admission = useAdmission();
const BY = 'convoy.kumodo.io/sync-requested-by';
const SYNC = 'convoy.kumodo.io/sync';
const request = (id: string) => JSON.stringify({ id, force: false });

let asController: string;
let asAlice: string;
beforeAll(async () => {
  asController = await admission.plane.kubeconfigFor(CONTROLLER_USER, ['system:masters']);
  asAlice = await admission.plane.kubeconfigFor('alice', ['system:masters']);
});

function annotationsOf({ metadata }: ApiObject): Record<string, string> | undefined {
  return metadata['annotations'] as Record<string, string> | undefined;
}

async function get(path: string): Promise<ApiObject> {
  return await admission.api.must('GET', path);
}

function deployment(labels: Record<string, string>, annotations?: Record<string, string>): object {
  const metadata = { name: 'web', labels, ...(annotations === undefined ? {} : { annotations }) };
  const pod = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { selector: { matchLabels: { app: 'web' } }, template: pod },
  };
}

/** Creates a Release with this syncWave mutation. */
async function releaseWith(
  waveStrategy: object,
  { name = 'shop', namespace = admission.namespace, target = {} } = {},
) {
  const spec = {
    source: { inline: configMapYaml('web') },
    suspend: true,
    mutations: [{ type: 'syncWave', target, waveStrategy }],
  };
  const { code, stderr } = await admission.kubectl(['create', '-n', namespace, '-f', '-'], {
    stdin: JSON.stringify(release(spec, { name })),
  });
  expect(code, stderr).toBe(0);
}

/** Applies an object until it carries the wave: the webhook learns of the Release by its watch. */
async function waveOf(manifest: object, path: string): Promise<Record<string, string> | undefined> {
  let annotations: Record<string, string> | undefined;
  await expect
    .poll(
      async () => {
        await admission.kubectl(['delete', '-n', admission.namespace, '--ignore-not-found', '-f', '-'], {
          stdin: JSON.stringify(manifest),
        });
        expect((await admission.apply(manifest, ['--server-side'])).code).toBe(0);
        annotations = annotationsOf(await get(path));
        return annotations?.['convoy.kumodo.io/sync-wave'];
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return annotations;
}

const deployments = () => `/apis/apps/v1/namespaces/${admission.namespace}/deployments`;

test('a Deployment that anybody applies with the label of a Release gets the wave of its mutations', async () => {
  await releaseWith(
    { wave: 3, strategy: 'waitForHealthyWithTimeout', timeout: '1m' },
    { target: { kind: 'Deployment' } },
  );
  const labels = { 'convoy.kumodo.io/release': 'shop' };
  expect(await waveOf(deployment(labels), `${deployments()}/web`)).toMatchObject({
    'convoy.kumodo.io/sync-wave': '3',
    'convoy.kumodo.io/sync-strategy': 'waitForHealthyWithTimeout',
    'convoy.kumodo.io/sync-timeout': '1m',
  });

  // An update of what is there, with another wave and annotations of its own.
  const other = { 'convoy.kumodo.io/sync-wave': '9', 'example.com/note': 'kept' };
  expect(
    (await admission.apply(deployment(labels, other), ['--server-side', '--force-conflicts'])).code,
  ).toBe(0);
  expect(annotationsOf(await get(`${deployments()}/web`))).toMatchObject({
    'convoy.kumodo.io/sync-wave': '3',
    'example.com/note': 'kept',
  });
  const { metadata } = await get(`${deployments()}/web`);
  await admission.kubectl([
    'label',
    'deployment',
    'web',
    '-n',
    admission.namespace,
    'convoy.kumodo.io/release=shop',
  ]);
  expect((await get(`${deployments()}/web`)).metadata['generation']).toBe(metadata['generation']);

  const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', labels } };
  expect((await admission.apply(configMap, ['--server-side'])).code).toBe(0);
  const stored = await get(`/api/v1/namespaces/${admission.namespace}/configmaps/other`);
  expect(annotationsOf(stored)).toBeUndefined();
});

test('the Release may be in another namespace, and have a name too long for a label', async () => {
  const namespace = 'far-away';
  const name = `shop-${'a'.repeat(80)}`;
  await admission.api.must('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await releaseWith({ wave: -2, strategy: 'waitForApplied' }, { name, namespace });
  const labels = {
    'convoy.kumodo.io/release': labelValue(name),
    'convoy.kumodo.io/release-namespace': namespace,
  };
  const annotations = await waveOf(deployment(labels), `${deployments()}/web`);
  expect(annotations).toMatchObject({ 'convoy.kumodo.io/sync-wave': '-2' });
  expect(annotations).not.toHaveProperty('convoy.kumodo.io/sync-timeout');

  const clusterScoped = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'far-away', labels },
    value: 1,
  };
  expect(await waveOf(clusterScoped, '/apis/scheduling.k8s.io/v1/priorityclasses/far-away')).toMatchObject({
    'convoy.kumodo.io/sync-wave': '-2',
  });
});

test('what Convoy applies, kube-system and objects of no known Release stay as they are', async () => {
  await releaseWith({ wave: 4, strategy: 'waitForApplied' });
  const labels = { 'convoy.kumodo.io/release': 'shop' };
  await waveOf(deployment(labels), `${deployments()}/web`);

  const configMap = (name: string, release: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      labels: {
        'convoy.kumodo.io/release': release,
        'convoy.kumodo.io/release-namespace': admission.namespace,
      },
    },
  });
  const path = `/api/v1/namespaces/${admission.namespace}/configmaps`;
  await admission.apply(configMap('applied', 'shop'), ['--server-side', '--field-manager=convoy']);
  expect(annotationsOf(await get(`${path}/applied`))).toBeUndefined();
  await admission.apply(configMap('nobodys', 'nobody'), ['--server-side']);
  expect(annotationsOf(await get(`${path}/nobodys`))).toBeUndefined();
  await admission.api.must('POST', '/api/v1/namespaces/kube-system/configmaps', configMap('system', 'shop'));
  expect(annotationsOf(await get('/api/v1/namespaces/kube-system/configmaps/system'))).toBeUndefined();
});

test('who asks for a sync is the user that the API server knows, whatever a client writes', async () => {
  const path = `${releasesPath(admission.namespace)}/shop`;
  const manifest = (annotations: Record<string, string>) =>
    release({ source: { inline: configMapYaml('web') } }, { annotations });
  const requester = async () => annotationsOf(await get(path))?.[BY];

  // Created without a request: a forged name goes.
  expect((await admission.apply(manifest({ [BY]: 'mallory' }))).code).toBe(0);
  expect(await requester()).toBeUndefined();

  // Each way to write a request, with a forged name.
  const forged = (id: string) => ({ [SYNC]: request(id), [BY]: 'mallory' });
  await admission.apply(manifest(forged('1')), [], asAlice);
  expect(await requester()).toBe('alice');
  await admission.apply(manifest(forged('2')), ['--server-side', '--force-conflicts']);
  expect(await requester()).toBe('kubernetes-admin');
  const annotate = (...pairs: string[]) =>
    admission.kubectl(['annotate', 'release', 'shop', '-n', admission.namespace, '--overwrite', ...pairs], {
      kubeconfig: asAlice,
    });
  expect((await annotate(`${SYNC}=${request('3')}`)).code).toBe(0);
  expect(await requester()).toBe('alice');
  const patch = (type: string, body: unknown) =>
    admission.kubectl([
      'patch',
      'release',
      'shop',
      '-n',
      admission.namespace,
      `--type=${type}`,
      '-p',
      JSON.stringify(body),
    ]);
  const pointer = (name: string) => `/metadata/annotations/${name.replace('/', '~1')}`;
  await patch('json', [
    { op: 'replace', path: pointer(SYNC), value: request('4') },
    { op: 'replace', path: pointer(BY), value: 'mallory' },
  ]);
  expect(await requester()).toBe('kubernetes-admin');

  // An edit of the name alone is undone, by every way too.
  expect((await annotate(`${BY}=mallory`)).code).toBe(0);
  expect(await requester()).toBe('kubernetes-admin');
  expect((await annotate(`${BY}-`)).code).toBe(0);
  expect(await requester()).toBe('kubernetes-admin');
  await patch('merge', { metadata: { annotations: { [BY]: 'mallory' } } });
  expect(await requester()).toBe('kubernetes-admin');

  // Only the controller names a caller that it has authenticated itself.
  const relayed = { metadata: { annotations: { [SYNC]: request('5'), [BY]: 'bob' } } };
  await admission.kubectl(
    ['patch', 'release', 'shop', '-n', admission.namespace, '--type=merge', '-p', JSON.stringify(relayed)],
    { kubeconfig: asController },
  );
  expect(await requester()).toBe('bob');
  await annotate('example.com/other=1');
  expect(await requester()).toBe('bob');

  // Without a request there is nobody who asks.
  await annotate(`${SYNC}-`);
  expect(await requester()).toBeUndefined();
});
