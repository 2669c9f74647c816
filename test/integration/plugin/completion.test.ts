import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { API_VERSION, RESOURCES } from '../../../api/group.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { createHandmade } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);

/** What kubectl offers a shell for a command line. */
async function offered(...args: string[]): Promise<string[]> {
  const kubectl = join(cluster.binDir, 'kubectl');
  const { stdout } = await promisify(execFile)(kubectl, ['__complete', 'convoy', ...args], {
    env: convoy.environment(),
  });
  return stdout.trimEnd().split('\n');
}

it('completes commands, and the names of Releases and Clusters from the cluster, through the completion of kubectl', async () => {
  await createHandmade(cluster.api, { namespace: namespace(), name: 'shop' });
  await createHandmade(cluster.api, { namespace: namespace(), name: 'web' });
  expect(await offered('release', 'his')).toEqual(['history', ':4']);
  expect(await offered('release', 'status', '-n', namespace(), '')).toEqual(['shop', 'web', ':4']);
  expect(await offered('release', 'get', '-n', namespace(), 'w')).toEqual(['web', ':4']);
  await cluster.api.must('POST', resourcePath(RESOURCES.Cluster, namespace()), {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name: 'prod' },
  });
  expect(await offered('cluster', 'waves', '-n', namespace(), '')).toEqual(['prod', ':4']);
  expect(await offered('release', 'status', '--as', 'nobody', '-n', namespace(), '')).toEqual([':4']);
});
