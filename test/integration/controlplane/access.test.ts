import { expect, test } from 'vitest';
import { ApiAccess } from '../../controlplane/apiAccess.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { readCredentials } from '../../controlplane/kubeconfig.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);

test('a user without rights is refused, and allowed what a RoleBinding grants to a group', async () => {
  const api = await ApiAccess.fromKubeconfig(await cluster.kubeconfigFor('ada', ['team-blue']));
  const configMaps = `/api/v1/namespaces/${namespace()}/configmaps`;
  try {
    const refused = await api.request('GET', configMaps);
    expect(refused.status).toBe(403);
    expect(refused.body['message']).toContain('User "ada" cannot list resource "configmaps"');
    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'rolebinding',
      'view',
      '--clusterrole=view',
      '--group=team-blue',
    );
    expect((await api.request('GET', configMaps)).status).toBe(200);
    expect((await api.request('POST', configMaps, { metadata: { name: 'x' } })).status).toBe(403);
  } finally {
    await api.close();
  }
});

test('nobody gets in without credentials', async () => {
  const { url, ca } = await readCredentials(cluster.kubeconfigPath);
  const api = new ApiAccess({ url, ...(ca !== undefined && { ca }) });
  try {
    const { status } = await api.request('GET', '/api/v1/namespaces');
    expect([401, 403]).toContain(status);
  } finally {
    await api.close();
  }
});

test('namespaces of tests have different names', async () => {
  expect(namespace()).toMatch(/^test-[0-9a-f]{10}$/);
  const found = await cluster.api.must('GET', `/api/v1/namespaces/${namespace()}`);
  expect(found.metadata.name).toBe(namespace());
});
