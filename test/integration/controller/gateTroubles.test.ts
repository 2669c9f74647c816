import { afterEach, beforeEach, expect, test } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { releasesPath } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, type Place, sourceOf } from '../../support/wavedObjects.ts';
import { NAME, Releases } from './fixture.ts';

const cluster = useCluster();
let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

const GATED = { wave: 1, strategy: 'waitForHealthy' } as const;
const DEPLOYMENTS = '/apis/apps/v1';

beforeEach(async () => {
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
});

afterEach(async () => {
  await controller.stop();
});

const source = (fate: Fate, gate: Place = GATED): string =>
  sourceOf(deploymentIn({ wave: 0 }, 'store', fate), configMapIn(gate, 'front'));

async function held(gate: Place = GATED) {
  await releases.create({ source: { inline: source({ fail: 'unready' }, gate) }, healthAssessment: {} });
  return await releases.ready('WaitingForWaveHealth');
}

/** The pod becomes ready, without a change of what Convoy applied. */
async function heal(): Promise<void> {
  const pods = `/api/v1/namespaces/${releases.namespace}/pods`;
  const pod = await releases.cluster.api.waitFor(pods, () => true);
  await releases.cluster.api.must('PATCH', `${pods}/${pod.metadata.name}`, {
    metadata: { annotations: { 'convoy.kumodo.io/test-fail': null } },
  });
}

async function restart(): Promise<void> {
  await controller.kill();
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
}

test('a controller that is killed while a wave holds goes on at the same place', async () => {
  const before = await held();
  await restart();
  await heal();
  const done = await releases.ready('Applied');
  expect(done.status?.waves?.[0]?.startedAt).toBe(before.status?.waves?.[0]?.startedAt);
});

test('the clock of a gate runs on while no controller is there', async () => {
  const gate: Place = { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '3s' };
  const before = await held(gate);
  await restart();
  const failed = await releases.ready('WaveFailed');
  expect(failed.status?.waves?.[0]?.startedAt).toBe(before.status?.waves?.[0]?.startedAt);
});

test('a restart of the controller changes nothing of a Release that is healthy', async () => {
  await releases.create({ source: { inline: source({}) }, healthAssessment: {} });
  const before = await releases.ready('Applied');
  await restart();
  await releases.patch({ spec: { interval: '20m' } });
  const after = await releases.ready('Applied');
  expect(after.status?.waves).toEqual(before.status?.waves);
  expect(after.status?.health).toEqual({ healthy: 2, progressing: 0, degraded: 0, unknown: 0 });
});

test('without a health bar any more, the wave behind the gate is applied', async () => {
  await held();
  await releases.patch({ spec: { healthAssessment: null } });
  await releases.ready('Applied');
  expect(await releases.find('configmaps/front')).toBeDefined();
});

test('a Release that holds is deleted like any other', async () => {
  await held();
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
  await releases.untilGone('release', NAME);
  expect(await releases.find('deployments/store', DEPLOYMENTS)).toBeUndefined();
});

test('a suspended Release opens no gate until it is resumed', async () => {
  await held();
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
  await heal();
  await releases.cluster.api.waitForNamed(
    `${DEPLOYMENTS}/namespaces/${releases.namespace}/deployments`,
    'store',
    (object) => ((object['status'] as { readyReplicas?: number }).readyReplicas ?? 0) > 0,
  );
  expect(await releases.find('configmaps/front')).toBeUndefined();
  await releases.patch({ spec: { suspend: false } });
  await releases.ready('Applied');
});

test('an object of the wave that is waited for comes back when somebody deletes it', async () => {
  await held();
  const before = await releases.find('deployments/store', DEPLOYMENTS);
  await releases.cluster.kubectl('delete', 'deployment', 'store', '-n', releases.namespace);
  const back = await releases.cluster.api.waitForNamed(
    `${DEPLOYMENTS}/namespaces/${releases.namespace}/deployments`,
    'store',
    ({ metadata }) => metadata.uid !== before?.metadata.uid,
  );
  expect(back.metadata.uid).not.toBe(before?.metadata.uid);
});

test('a new render while a wave holds supersedes it at once', async () => {
  await held();
  await releases.inline(source({}));
  await releases.ready('Applied');
});
