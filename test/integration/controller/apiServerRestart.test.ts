import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { installCrds } from '../../controlplane/crds.ts';
import { kubectl, useControlPlane, useNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { configMapIn, deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { Releases } from './fixture.ts';

const plane = useControlPlane({});
const cluster = {
  get api() {
    return plane().api;
  },
  get kubeconfigPath() {
    return plane().kubeconfigPath;
  },
  kubectl: (...args: string[]) => kubectl(plane().binDir, plane().kubeconfigPath, args),
};
beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
const controller = useController(cluster);
const releases = new Releases(cluster, useNamespace(cluster), controller);

test('a wave that holds while the API server is killed and started again goes on by itself', async () => {
  const source = sourceOf(
    deploymentIn({ wave: 0 }, 'store', { fail: 'unready' }),
    configMapIn({ wave: 1, strategy: 'waitForHealthy' }, 'front'),
  );
  await releases.create({ source: { inline: source }, healthAssessment: {} });
  const held = await releases.ready('WaitingForWaveHealth');
  await plane().stopApiServer('SIGKILL');
  await plane().startApiServer();
  const pods = `/api/v1/namespaces/${releases.namespace}/pods`;
  const pod = await releases.cluster.api.waitFor(pods, () => true);
  await releases.cluster.api.must('PATCH', `${pods}/${pod.metadata.name}`, {
    metadata: { annotations: { 'convoy.kumodo.io/test-fail': null } },
  });
  const done = await releases.until(
    ({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
  );
  expect(done.status?.waves?.[0]?.startedAt).toBe(held.status?.waves?.[0]?.startedAt);
}, 120_000);
