import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import type { Cluster } from '../../../api/cluster.ts';
import { API_VERSION } from '../../../api/group.ts';
import type { ReleaseSpec } from '../../../api/release.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { createNamespace, useControlPlane } from '../../controlplane/fixture.ts';
import { readyMessage } from '../../support/releases.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases(['--allow-loopback-clusters']);
const target = useControlPlane({ kwok: false });

const readyOf = (status: Cluster['status']) => status?.conditions?.find(({ type }) => type === 'Ready');

const clustersPath = (): string => `/apis/${API_VERSION}/namespaces/${releases.namespace}/clusters`;
const secretsPath = (): string => `/api/v1/namespaces/${releases.namespace}/secrets`;

async function createSecret(kubeconfig: string, name = 'prod'): Promise<void> {
  const data = { value: Buffer.from(kubeconfig).toString('base64') };
  await releases.cluster.api.must('POST', secretsPath(), { metadata: { name }, data });
}

async function createCluster(
  name = 'prod',
  spec: object = { kubeconfig: { secretRef: { name } } },
): Promise<void> {
  const body = { apiVersion: API_VERSION, kind: 'Cluster', metadata: { name }, spec };
  await releases.cluster.api.must('POST', clustersPath(), body);
}

/** Waits until the Cluster is Ready, or not, for this reason. */
async function clusterIs(reason: string, name = 'prod'): Promise<Cluster> {
  const found = await releases.cluster.api.waitForNamed(
    clustersPath(),
    name,
    ({ status }) => readyOf(status as Cluster['status'])?.reason === reason,
  );
  return found as unknown as Cluster;
}

async function connected(): Promise<string> {
  await createSecret(await readFile(target().kubeconfigPath, 'utf8'));
  await createCluster();
  return await createNamespace(target().api);
}

const source = (namespace: string, value = 'one') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: ${namespace}}\ndata: {key: ${value}}\n`;
const onProd = (text: string): ReleaseSpec => ({ source: { inline: text }, clusterRef: { name: 'prod' } });

const finalizersOf = ({ metadata }: ApiObject) => (metadata['finalizers'] ?? []) as string[];

test('a Release is applied to its Cluster, put right there, and taken back from there', async () => {
  const namespace = await connected();
  await releases.create(onProd(source(namespace)));
  await releases.ready('Applied');
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  expect(await target().api.must('GET', `${configMaps}/web`)).toMatchObject({ data: { key: 'one' } });
  expect(await releases.findAt(`${configMaps}/web`)).toBeUndefined();

  const cluster = await releases.cluster.api.waitForNamed(
    clustersPath(),
    'prod',
    ({ status }) => (status as Cluster['status'])?.releases === 1,
  );
  expect(cluster).toMatchObject({ status: { serverVersion: expect.stringMatching(/^v1\./) as string } });
  expect(finalizersOf(cluster)).toContain(FINALIZER);
  const secret = await releases.cluster.api.must('GET', `${secretsPath()}/prod`);
  expect(finalizersOf(secret)).toContain(FINALIZER);

  await target().api.must('PATCH', `${configMaps}/web`, { data: { key: 'by hand' } });
  await target().api.waitForNamed(
    configMaps,
    'web',
    (object) => (object['data'] as { key: string }).key === 'one',
  );

  await releases.cluster.api.must('DELETE', `${clustersPath()}/prod`);
  await releases.cluster.api.must(
    'DELETE',
    `/apis/${API_VERSION}/namespaces/${releases.namespace}/releases/${NAME}`,
  );
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  await releases.untilGone('clusters.core.convoy.kumodo.io', 'prod');
  expect((await target().api.request('GET', `${configMaps}/web`)).status).toBe(404);
  await releases.cluster.api.waitForNamed(
    secretsPath(),
    'prod',
    (object) => finalizersOf(object).length === 0,
  );
});

test('a Cluster that does not answer is a status, holds up nobody else, and comes back by itself', async () => {
  const namespace = await connected();
  await releases.create(onProd(source(namespace)));
  await releases.ready('Applied');

  await target().stopApiServer();
  expect(readyMessage(await releases.ready('ClusterUnavailable'))).toContain(
    'Cluster prod: the API server does not answer',
  );
  const lost = await clusterIs('Unreachable');
  expect(lost.status?.lastContact).toBeDefined();
  const told: Cluster[] = [];
  const enough = new AbortController();
  const following = releases.cluster.api.follow(
    clustersPath(),
    async (cluster) => {
      await Promise.resolve();
      told.push(cluster as unknown as Cluster);
    },
    enough.signal,
  );
  await releases.create({ source: { inline: source(releases.namespace) } }, { name: 'here' });
  await releases.ready('Applied', 'here');
  await releases.inline(source(namespace, 'two'));

  await target().startApiServer();
  await releases.ready('Applied');
  await clusterIs('Connected');
  await expect.poll(() => readyOf(told.at(-1)?.status)?.reason).toBe('Connected');
  enough.abort();
  await following;
  const versions = new Set(
    told.map(({ metadata, status }) => `${readyOf(status)?.reason} ${metadata.resourceVersion}`),
  );
  expect([...versions].filter((version) => version.startsWith('Unreachable'))).toHaveLength(1);
  const found = await target().api.must('GET', `/api/v1/namespaces/${namespace}/configmaps/web`);
  expect(found).toMatchObject({ data: { key: 'two' } });
});

test('a Release waits for a Cluster and for its Secret, and goes on when they are there', async () => {
  const namespace = await createNamespace(target().api);
  await releases.create(onProd(source(namespace)));
  expect(readyMessage(await releases.ready('ClusterUnavailable'))).toContain('Cluster prod does not exist');
  await createCluster();
  await releases.until((release) => readyMessage(release).includes('Secret prod does not exist'));
  await clusterIs('KubeconfigMissing');
  await createSecret(await readFile(target().kubeconfigPath, 'utf8'));
  await releases.ready('Applied');
  await clusterIs('Connected');
});

test('a paused Cluster makes its Releases stand still', async () => {
  const namespace = await connected();
  await releases.cluster.api.must('PATCH', `${clustersPath()}/prod`, { spec: { paused: true } });
  await releases.create(onProd(source(namespace)));
  expect(readyMessage(await releases.ready('Suspended'))).toContain('paused');
  await releases.cluster.api.must('PATCH', `${clustersPath()}/prod`, { spec: { paused: false } });
  await releases.ready('Applied');
});

test('a Release whose Cluster was taken by force goes all the same, and says what it leaves', async () => {
  const namespace = await connected();
  await releases.create(onProd(source(namespace)));
  await releases.ready('Applied');
  const { api } = releases.cluster;
  await api.must('DELETE', `${clustersPath()}/prod`);
  await api.must('PATCH', `${clustersPath()}/prod`, { metadata: { finalizers: null } });
  await releases.untilGone('clusters.core.convoy.kumodo.io', 'prod');
  await releases.ready('ClusterUnavailable');
  await api.must('DELETE', `/apis/${API_VERSION}/namespaces/${releases.namespace}/releases/${NAME}`);
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
  await releases.event('Warning', 'LeftBehind', 'Cluster prod does not exist');
  expect((await target().api.request('GET', `/api/v1/namespaces/${namespace}/configmaps/web`)).status).toBe(
    200,
  );
});

const kubeconfig = ({
  server = 'https://192.0.2.1:6443',
  user = {},
  cluster = {},
}: {
  server?: string;
  user?: object;
  cluster?: object;
}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server, ...cluster } }],
    users: [{ name: 'u', user }],
  });

test.each([
  [
    'a program',
    kubeconfig({ user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'id' } } }),
    'exec',
  ],
  [
    'a file',
    kubeconfig({ user: { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' } }),
    'tokenFile',
  ],
  [
    'a certificate file',
    kubeconfig({ cluster: { 'certificate-authority': '/etc/passwd' } }),
    'certificate-authority',
  ],
  ['a proxy', kubeconfig({ cluster: { 'proxy-url': 'http://127.0.0.1:8080' } }), 'proxy'],
  ['nothing', 'neither: {a: kubeconfig', ''],
])('a kubeconfig that names %s is refused with words', async (_, text, word) => {
  await createSecret(text);
  await createCluster();
  const { status } = await clusterIs('KubeconfigRefused');
  const { message = '' } = readyOf(status) ?? {};
  expect(message).toContain('the kubeconfig in Secret prod is refused');
  expect(message).toContain(word);
});
