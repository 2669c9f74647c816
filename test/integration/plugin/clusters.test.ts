import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_VERSION, RESOURCES } from '../../../api/group.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { condition } from '../../unit/plugin/release.ts';
import { createHandmade } from './handmade.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);

/** A Cluster with a status as a controller writes it; there is none here. */
async function createCluster(name: string, contact = new Date()): Promise<void> {
  await cluster.api.must('POST', resourcePath(RESOURCES.Cluster, namespace()), {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name },
    spec: { kubeconfig: { secretRef: { name } } },
  });
  await cluster.api.must('PATCH', resourcePath(RESOURCES.Cluster, namespace(), name, 'status'), {
    status: {
      observedGeneration: 1,
      conditions: [condition('Ready', 'True', 'Connected', 'its API server answers (v1.36.1)')],
      serverVersion: 'v1.36.1',
      releases: 1,
      lastContact: contact.toISOString().replace(/\.\d+Z$/, 'Z'),
      latencyMilliseconds: 4,
    },
  });
}

describe('kubectl convoy cluster get', () => {
  it('lists the Clusters of a namespace, as a table, as names and as they are', async () => {
    await createCluster('prod');
    await createCluster('staging', new Date(Date.now() - 3_600_000));
    const { stdout, stderr, code } = await convoy(['cluster', 'get', '-n', namespace()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [head, prod, staging] = stdout.split('\n');
    expect(head).toMatch(/^NAME +READY +REASON +VERSION +RELEASES +AGE +MESSAGE$/);
    expect(prod).toMatch(/^prod +True +Connected +v1\.36\.1 +1 +\S+ +its API server answers \(v1\.36\.1\)$/);
    expect(staging).toMatch(/^staging +Unknown +- +v1\.36\.1 +1 +\S+ +nobody has asked it for 60m/);
    const names = await convoy(['cluster', 'get', '-n', namespace(), '-o', 'name']);
    expect(names.stdout).toBe('cluster.core.convoy.kumodo.io/prod\ncluster.core.convoy.kumodo.io/staging\n');
    const one = await convoy(['cluster', 'get', 'prod', '-n', namespace(), '-o', 'yaml']);
    expect(parse(one.stdout)).toMatchObject({ kind: 'Cluster', status: { latencyMilliseconds: 4 } });
  });

  it('says that there is none, also where one is named', async () => {
    const none = await convoy(['cluster', 'get', '-n', namespace()]);
    expect(none).toMatchObject({ code: 0, stderr: `No Clusters found in namespace ${namespace()}.\n` });
    const named = await convoy(['cluster', 'status', 'prod', '-n', namespace()]);
    expect(named.code).toBe(1);
    expect(named.stderr).toContain(`there is no Cluster prod in namespace ${namespace()}`);
    expect(named.stderr).toContain(`kubectl convoy cluster get -n ${namespace()}`);
  });
});

describe('kubectl convoy cluster status', () => {
  it('shows a Cluster and those of its Releases that are not ready', async () => {
    await createCluster('prod');
    const at = { namespace: namespace(), spec: { clusterRef: { name: 'prod' } } };
    const ready = (status: 'True' | 'False', reason: 'Applied' | 'ApplyFailed') => ({
      conditions: [condition('Ready', status, reason, `it is ${reason}`)],
    });
    await createHandmade(cluster.api, { ...at, name: 'shop', status: ready('False', 'ApplyFailed') });
    await createHandmade(cluster.api, { ...at, name: 'web', status: ready('True', 'Applied') });
    await createHandmade(cluster.api, { ...at, name: 'other', spec: {}, status: ready('True', 'Applied') });
    const { stdout, stderr, code } = await convoy(['cluster', 'status', 'prod', '-n', namespace()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Cluster prod in ${namespace()}: answers (Connected`);
    expect(stdout).toContain('Reached by  the kubeconfig in key value of Secret prod\n');
    expect(stdout).toContain('Releases    2: 1 ready, 1 not ready\n');
    expect(stdout).toMatch(/\n {2}shop +False +ApplyFailed .*it is ApplyFailed\n/);
    expect(stdout).not.toMatch(/\n {2}(web|other) /);
  });
});

describe('kubectl convoy cluster waves', () => {
  it('shows the Releases of a Cluster by wave, and who waits for whom', async () => {
    await createCluster('prod');
    const specOf = (wave: number) => ({
      clusterRef: { name: 'prod' },
      syncPolicy: { waveStrategy: { wave, strategy: 'waitForHealthy' as const } },
    });
    const waits = { conditions: [condition('Ready', 'False', 'WaitingForClusterWave')] };
    await createHandmade(cluster.api, {
      namespace: namespace(),
      name: 'web',
      spec: specOf(1),
      status: waits,
    });
    await createHandmade(cluster.api, { namespace: namespace(), name: 'db', spec: specOf(0) });
    await createHandmade(cluster.api, { namespace: namespace(), name: 'elsewhere' });
    const { stdout, code } = await convoy(['cluster', 'waves', 'prod', '-n', namespace()]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^WAVE +RELEASE +READY +REASON +NEEDS +WAITS FOR$/),
      expect.stringMatching(/^0 +db +Unknown +- +\S+ +-$/),
      expect.stringMatching(/^1 +web +False +WaitingForClusterWave +healthy +db$/),
    ]);
  });

  it('takes no wrong name for a Cluster without Releases', async () => {
    await createCluster('prod');
    const none = await convoy(['cluster', 'waves', 'prod', '-n', namespace()]);
    expect(none).toMatchObject({
      code: 0,
      stderr: `No Releases found in namespace ${namespace()} for Cluster prod.\n`,
    });
    const wrong = await convoy(['cluster', 'waves', 'prodd', '-n', namespace()]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain(`there is no Cluster prodd in namespace ${namespace()}`);
  });
});
