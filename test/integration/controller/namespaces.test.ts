import { afterEach, describe, expect, test } from 'vitest';
import { createNamespace } from '../../controlplane/fixture.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const CLUSTER_ROLE = 'namespaces-test-reader';
const clusterRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ${CLUSTER_ROLE}, namespace: nowhere}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
`;

let extra: string | undefined;
afterEach(async () => {
  if (extra !== undefined) await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${extra}`);
  extra = undefined;
});

async function another(): Promise<string> {
  return (extra = await createNamespace(releases.cluster.api));
}

describe('an object without a namespace', () => {
  test('goes into that of the Release', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    expect(await releases.find('configmaps/web')).toBeDefined();
  });

  test('goes into targetNamespace, and one that names its own stays there', async () => {
    const target = await another();
    const inline = documents(configMapYaml('web'), configMapYaml(`here, namespace: ${releases.namespace}`));
    await releases.create({ source: { inline }, targetNamespace: target });
    await releases.ready('Applied');
    expect(await releases.findAt(`/api/v1/namespaces/${target}/configmaps/web`)).toBeDefined();
    expect(await releases.find('configmaps/web')).toBeUndefined();
    expect(await releases.find('configmaps/here')).toBeDefined();
  });

  test('moves when targetNamespace changes: applied there, then pruned here', async () => {
    const target = await another();
    await releases.create({
      source: { inline: configMapYaml('web') },
      syncPolicy: { prune: { orphaned: true } },
    });
    await releases.ready('Applied');
    await releases.patch({ spec: { targetNamespace: target } });
    await releases.ready('Applied');
    expect(await releases.findAt(`/api/v1/namespaces/${target}/configmaps/web`)).toBeDefined();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});

test('a cluster-scoped object loses its namespace, and an event says so', async () => {
  await releases.create({ source: { inline: clusterRole } });
  const release = await releases.ready('Applied');
  const path = `/apis/rbac.authorization.k8s.io/v1/clusterroles/${CLUSTER_ROLE}`;
  const live = await releases.findAt(path);
  expect(live?.metadata.namespace).toBeUndefined();
  expect(live?.metadata['labels']).toMatchObject({
    'convoy.kumodo.io/release': NAME,
    'convoy.kumodo.io/release-namespace': releases.namespace,
    'app.kubernetes.io/managed-by': 'convoy',
  });
  expect(release.status?.inventory).toEqual({ entries: 1, shards: 1 });
  await releases.event('Warning', 'RenderWarning', 'metadata.namespace is left out');
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  expect(await releases.findAt(path)).toBeUndefined();
});

test('a namespace that the render brings is there before its content', async () => {
  const name = `${releases.namespace}-own`;
  const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;
  await releases.create({
    source: { inline: documents(configMapYaml(`web, namespace: ${name}`), namespace) },
  });
  await releases.ready('Applied');
  expect(await releases.findAt(`/api/v1/namespaces/${name}/configmaps/web`)).toBeDefined();
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  expect(await releases.findAt(`/api/v1/namespaces/${name}`)).toBeUndefined();
});

test('lists are unfolded, also typed ones whose items leave out their kind', async () => {
  const list = {
    apiVersion: 'v1',
    kind: 'List',
    items: [JSON.parse('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}')],
  };
  const typed = { apiVersion: 'v1', kind: 'ConfigMapList', items: [{ metadata: { name: 'b' } }] };
  await releases.create({
    source: { inline: documents(`${JSON.stringify(list)}\n`, JSON.stringify(typed)) },
  });
  const { status } = await releases.ready('Applied');
  expect(status?.inventory?.entries).toBe(2);
  expect(await releases.find('configmaps/a')).toBeDefined();
  expect(await releases.find('configmaps/b')).toBeDefined();
});

test('a field that another manager owns and the render is silent about is left alone', async () => {
  await releases.create({ source: { inline: configMapYaml('web', { ours: 'one' }) } });
  await releases.ready('Applied');
  await releases.patchConfigMap('web', { data: { theirs: 'kept' } });
  await releases.inline(configMapYaml('web', { ours: 'two' }));
  await releases.ready('Applied');
  expect((await releases.find('configmaps/web'))?.['data']).toEqual({ ours: 'two', theirs: 'kept' });
  await releases.inline(configMapYaml('web', { other: 'three' }));
  await releases.ready('Applied');
  expect((await releases.find('configmaps/web'))?.['data']).toEqual({ other: 'three', theirs: 'kept' });
});
