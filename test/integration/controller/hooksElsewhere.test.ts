import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { API_VERSION } from '../../../api/group.ts';
import { createNamespace, kubectl, useControlPlane } from '../../controlplane/fixture.ts';
import { configMapYaml } from '../../support/releases.ts';
import { NAME, useReleases } from './fixture.ts';
import { hook, hookNamed, jobs, told, untilMade } from './hookObjects.ts';

const releases = useReleases(['--allow-loopback-clusters']);
const target = useControlPlane({ kwok: true });

/** A Cluster of the other control plane. @returns a namespace there */
async function connect(): Promise<string> {
  const { api } = releases.cluster;
  const data = { value: Buffer.from(await readFile(target().kubeconfigPath, 'utf8')).toString('base64') };
  await api.must('POST', `/api/v1/namespaces/${releases.namespace}/secrets`, {
    metadata: { name: 'prod' },
    data,
  });
  await api.must('POST', `/apis/${API_VERSION}/namespaces/${releases.namespace}/clusters`, {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name: 'prod' },
    spec: { kubeconfig: { secretRef: { name: 'prod' } } },
  });
  return await createNamespace(target().api);
}

test('hooks run on the cluster of their Release, go by their TTL there, and end there with the Release', async () => {
  const namespace = await connect();
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const untilGone = async (job = '') => {
    const { binDir, kubeconfigPath } = target();
    const wait = ['wait', '--for=delete', '--timeout=60s', '-n', namespace, `job/${job}`];
    await kubectl(binDir, kubeconfigPath, wait);
  };
  await releases.create({
    source: { inline: configMapYaml('web') },
    clusterRef: { name: 'prod' },
    targetNamespace: namespace,
    lifecycleHooks: { preSync: [hook('migrate', {}, { spec: { ttlSecondsAfterFinished: 0 } })] },
  });
  const done = await releases.ready('Applied');
  expect(told(done)).toEqual(['preSync migrate Succeeded']);
  expect(await jobs(releases)).toEqual([]);
  await untilGone(hookNamed(done, 'migrate').job);

  await releases.patch({
    spec: {
      source: { inline: configMapYaml('web', { key: 'new' }) },
      lifecycleHooks: { preSync: [hook('slow', { delay: '10m' })] },
    },
  });
  const { job = '' } = hookNamed(await untilMade(releases, 'slow'), 'slow');
  const found = await target().api.must('GET', `${path}/${job}`);
  expect(found).not.toHaveProperty('metadata.ownerReferences');
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=60s');
  await untilGone(job);
});
