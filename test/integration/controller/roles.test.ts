import { beforeAll, describe, expect, test } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { mayDo } from '../../support/mayDo.ts';

const ROLES = new URL('../../../manifests/install/roles', import.meta.url).pathname;
const cluster = useCluster();
const namespace = useNamespace(cluster);

const GROUP = 'core.convoy.kumodo.io';
const READS = ['get', 'list', 'watch'];
const WRITES = ['create', 'update', 'patch', 'delete'];

/** What a user of one of the roles of Kubernetes may do in the namespace of the test. */
function may(role: string, verb: string, resource: string, subresource = ''): Promise<boolean> {
  const right = { verb, group: GROUP, resource, subresource, namespace: namespace() };
  return mayDo(cluster.api, `${role}-user`, right);
}

async function bind(role: string): Promise<void> {
  const user = `--user=${role}-user`;
  await cluster.kubectl('create', 'rolebinding', role, '-n', namespace(), `--clusterrole=${role}`, user);
}

beforeAll(async () => {
  await cluster.kubectl('apply', '--server-side', '-k', ROLES);
});

/** Roles are put together by a controller, and the authoriser learns of it a little later. */
const granted = (role: string, verb: string, resource: string): Promise<void> =>
  expect
    .poll(() => may(role, verb, resource), { message: `${verb} ${resource}`, timeout: 30_000 })
    .toBe(true);

describe('the roles of Kubernetes', () => {
  test('view reads Releases, Clusters and inventories, and writes none', async () => {
    await bind('view');
    for (const resource of ['releases', 'clusters', 'releaseinventories']) {
      for (const verb of READS) await granted('view', verb, resource);
      for (const verb of WRITES) expect(await may('view', verb, resource), `${verb} ${resource}`).toBe(false);
    }
  });

  test.each(['edit', 'admin'])('%s writes Releases and Clusters too, and no inventory', async (role) => {
    await bind(role);
    for (const resource of ['releases', 'clusters'])
      for (const verb of [...READS, ...WRITES]) await granted(role, verb, resource);
    for (const verb of WRITES) {
      expect(await may(role, verb, 'releaseinventories'), verb).toBe(false);
      expect(await may(role, verb, 'globalhealthrulesets'), verb).toBe(false);
      expect(await may(role, verb, 'releases', 'status'), verb).toBe(false);
    }
  });
});
