import { expect, test } from 'vitest';
import { conditionOf, isTrue } from '../../controlplane/conditions.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import {
  daemonSet,
  deployment,
  isReady,
  job,
  pod,
  podStatus,
  statefulSet,
  statusNumber,
} from './workloads.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const apps = () => `/apis/apps/v1/namespaces/${namespace()}`;
const core = () => `/api/v1/namespaces/${namespace()}`;

test('a Deployment of three becomes available', async () => {
  await cluster.api.must('POST', `${apps()}/deployments`, deployment('web', 3));
  const ready = await cluster.api.waitForNamed(
    `${apps()}/deployments`,
    'web',
    (d) => statusNumber(d, 'availableReplicas') === 3,
  );
  expect(conditionOf(ready, 'Available')?.status).toBe('True');
  expect(await cluster.kubectl('-n', namespace(), 'rollout', 'status', 'deployment/web')).toContain(
    'successfully rolled out',
  );
});

test('a StatefulSet brings up its pods in order', async () => {
  await cluster.api.must('POST', `${apps()}/statefulsets`, statefulSet('db', 2));
  await cluster.api.waitForNamed(
    `${apps()}/statefulsets`,
    'db',
    (s) => statusNumber(s, 'readyReplicas') === 2,
  );
  const pods = (await cluster.kubectl('-n', namespace(), 'get', 'pods', '-o', 'name')).trim().split('\n');
  expect(pods).toEqual(['pod/db-0', 'pod/db-1']);
});

test('a DaemonSet has a ready pod on each node', async () => {
  await cluster.api.must('POST', `${apps()}/daemonsets`, daemonSet('agent'));
  const ready = await cluster.api.waitForNamed(
    `${apps()}/daemonsets`,
    'agent',
    (d) => statusNumber(d, 'numberReady') > 0,
  );
  expect(statusNumber(ready, 'desiredNumberScheduled')).toBe(1);
});

test('a Job completes', async () => {
  const jobs = `/apis/batch/v1/namespaces/${namespace()}/jobs`;
  await cluster.api.must('POST', jobs, job('migrate'));
  const done = await cluster.api.waitForNamed(jobs, 'migrate', (j) => isTrue(j, 'Complete'));
  expect(statusNumber(done, 'succeeded')).toBe(1);
});

test('a deleted Deployment takes its pods with it', async () => {
  await cluster.api.must('POST', `${apps()}/deployments`, deployment('web', 1));
  await cluster.api.waitForNamed(
    `${apps()}/deployments`,
    'web',
    (d) => statusNumber(d, 'availableReplicas') === 1,
  );
  await cluster.kubectl('-n', namespace(), 'delete', 'deployment', 'web', '--cascade=foreground');
  expect(await cluster.kubectl('-n', namespace(), 'get', 'pods', '-o', 'name')).toBe('');
});

test('test-delay holds back readiness for its time', async () => {
  await cluster.api.must('POST', `${core()}/pods`, pod('slow', { 'convoy.kumodo.io/test-delay': '1500ms' }));
  const scheduled = await cluster.api.waitForNamed(`${core()}/pods`, 'slow', (p) =>
    isTrue(p, 'PodScheduled'),
  );
  const since = performance.now();
  expect(isReady(scheduled)).toBe(false);
  await cluster.api.waitForNamed(`${core()}/pods`, 'slow', isReady);
  expect(performance.now() - since).toBeGreaterThan(1000);
});

test('test-pod-ip gives a pod an address of this machine', async () => {
  await cluster.api.must(
    'POST',
    `${core()}/pods`,
    pod('here', { 'convoy.kumodo.io/test-pod-ip': '127.0.0.7' }),
  );
  const ready = await cluster.api.waitForNamed(`${core()}/pods`, 'here', isReady);
  expect(podStatus(ready).podIP).toBe('127.0.0.7');
});
