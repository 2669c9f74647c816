import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { conditionOf, isTrue } from '../../controlplane/conditions.ts';
import { deployment, isReady, job, pod, podStatus, statusNumber } from './workloads.ts';

const FAIL = 'convoy.kumodo.io/test-fail';
const DELAY = 'convoy.kumodo.io/test-delay';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const pods = () => `/api/v1/namespaces/${namespace()}/pods`;
const jobs = () => `/apis/batch/v1/namespaces/${namespace()}/jobs`;

const firstState = (object: ApiObject) => podStatus(object).containerStatuses?.[0]?.state;
const waitsIn = (reason: string) => (object: ApiObject) => firstState(object)?.waiting?.reason === reason;

/** What a pod of a failure settles in. */
const failures = [
  {
    fail: 'crash',
    restartPolicy: 'Always',
    settled: waitsIn('CrashLoopBackOff'),
    phase: 'Running',
    restarts: 3,
  },
  {
    fail: 'image-pull',
    restartPolicy: 'Always',
    settled: waitsIn('ImagePullBackOff'),
    phase: 'Pending',
    restarts: 0,
  },
  {
    fail: 'unready',
    restartPolicy: 'Always',
    settled: (p: ApiObject) => firstState(p)?.running !== undefined,
    phase: 'Running',
    restarts: 0,
  },
  {
    fail: 'exit',
    restartPolicy: 'Never',
    settled: (p: ApiObject) => firstState(p)?.terminated?.exitCode === 1,
    phase: 'Failed',
    restarts: 0,
  },
  {
    fail: 'exit',
    restartPolicy: 'Always',
    settled: waitsIn('CrashLoopBackOff'),
    phase: 'Running',
    restarts: 3,
  },
];

test.each(failures)(
  '$fail with restartPolicy $restartPolicy ends in phase $phase and is never Ready',
  async (failure) => {
    await cluster.api.must('POST', pods(), pod('bad', { [FAIL]: failure.fail }, failure.restartPolicy));
    const seen: ApiObject[] = [];
    const settled = await cluster.api.waitForNamed(pods(), 'bad', (p) => {
      seen.push(p);
      return failure.settled(p);
    });
    expect(podStatus(settled).phase).toBe(failure.phase);
    expect(podStatus(settled).containerStatuses?.[0]?.restartCount).toBe(failure.restarts);
    expect(conditionOf(settled, 'Ready')?.status).toBe('False');
    expect(seen.filter(isReady)).toEqual([]);
  },
);

test('a failed pod stays as it is: its stage does not play again', async () => {
  await cluster.api.must('POST', pods(), pod('bad', { [FAIL]: 'crash' }));
  const settled = await cluster.api.waitForNamed(pods(), 'bad', waitsIn('CrashLoopBackOff'));
  // A pod that is created and Ready afterwards proves that the stages had their turn.
  await cluster.api.must('POST', pods(), pod('good', {}));
  await cluster.api.waitForNamed(pods(), 'good', isReady);
  const now = await cluster.api.must('GET', `${pods()}/bad`);
  expect(now.metadata.resourceVersion).toBe(settled.metadata.resourceVersion);
});

test('crash-later is Ready first and then crashes', async () => {
  await cluster.api.must('POST', pods(), pod('bad', { [FAIL]: 'crash-later', [DELAY]: '500ms' }));
  await cluster.api.waitForNamed(pods(), 'bad', isReady);
  const crashed = await cluster.api.waitForNamed(pods(), 'bad', waitsIn('CrashLoopBackOff'));
  expect(conditionOf(crashed, 'Ready')?.status).toBe('False');
});

test('a Deployment whose pods crash never becomes available, and does once a good revision comes', async () => {
  const path = `/apis/apps/v1/namespaces/${namespace()}/deployments`;
  await cluster.api.must('POST', path, deployment('web', 2, { [FAIL]: 'crash' }));
  await cluster.api.waitFor(pods(), waitsIn('CrashLoopBackOff'));
  expect(statusNumber(await cluster.api.must('GET', `${path}/web`), 'availableReplicas')).toBe(0);
  const good = { spec: { template: { metadata: { annotations: { [FAIL]: null } } } } };
  await cluster.api.must('PATCH', `${path}/web`, good);
  await cluster.api.waitForNamed(path, 'web', (d) => statusNumber(d, 'availableReplicas') === 2);
});

test('exit fails a Job', async () => {
  await cluster.api.must('POST', jobs(), job('migrate', { [FAIL]: 'exit' }));
  const failed = await cluster.api.waitForNamed(jobs(), 'migrate', (j) => isTrue(j, 'Failed'));
  expect(statusNumber(failed, 'failed')).toBe(1);
});

test('a Ready pod fails when it is annotated and recovers when it no longer is', async () => {
  await cluster.api.must('POST', pods(), pod('web', {}));
  await cluster.api.waitForNamed(pods(), 'web', isReady);
  await cluster.api.must('PATCH', `${pods()}/web`, { metadata: { annotations: { [FAIL]: 'unready' } } });
  await cluster.api.waitForNamed(pods(), 'web', (p) => conditionOf(p, 'Ready')?.status === 'False');
  await cluster.api.must('PATCH', `${pods()}/web`, { metadata: { annotations: { [FAIL]: null } } });
  await cluster.api.waitForNamed(pods(), 'web', isReady);
});

test('a failure that is not known leaves the pod Pending', async () => {
  await cluster.api.must('POST', pods(), pod('odd', { [FAIL]: 'crsh' }));
  await cluster.api.waitForNamed(pods(), 'odd', (p) => isTrue(p, 'PodScheduled'));
  await cluster.api.must('POST', pods(), pod('good', {}));
  await cluster.api.waitForNamed(pods(), 'good', isReady);
  expect(podStatus(await cluster.api.must('GET', `${pods()}/odd`)).phase).toBe('Pending');
});
