import { describe, expect, it } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { createRelease, waitForReady } from '../../support/releases.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);
useController(cluster);

function deployment(name: string, fail?: string): string {
  const annotations = fail === undefined ? '' : `, annotations: {convoy.kumodo.io/test-fail: ${fail}}`;
  return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}${annotations}}
    spec: {containers: [{name: main, image: "example.com/${name}:1"}]}
---`;
}

function later(timeout: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata:
  name: later
  annotations:
    convoy.kumodo.io/sync-wave: "1"
    convoy.kumodo.io/sync-strategy: waitForHealthyWithTimeout
    convoy.kumodo.io/sync-timeout: ${timeout}
---`;
}

async function release(inline: string): Promise<void> {
  await createRelease(cluster.api, {
    ...{ namespace: namespace(), name: 'shop' },
    spec: { source: { inline }, healthAssessment: {} },
  });
}

const reason = (expected: string) =>
  waitForReady(cluster.api, { namespace: namespace(), name: 'shop' }, expected);
const pods = () => `/api/v1/namespaces/${namespace()}/pods`;
const why = (...flags: string[]) => convoy(['release', 'why', 'shop', '-n', namespace(), ...flags]);

interface PodList {
  items: { status?: { containerStatuses?: { state?: { waiting?: { reason?: string } } }[] } }[];
}

/** Waits until so many pods wait for this reason. */
async function podsWait(count: number, expected: string): Promise<void> {
  const waiting = new Set<string>();
  await cluster.api.waitFor(pods(), (object) => {
    const { status } = object as unknown as PodList['items'][number];
    if (status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === expected) === true)
      waiting.add(object.metadata.name);
    return waiting.size >= count;
  });
}

describe('kubectl convoy release why', () => {
  it('tells the gate, the pods that keep it closed, and what to run', async () => {
    await release(deployment('web', 'crash') + later('5m'));
    await reason('WaitingForWaveHealth');
    await podsWait(2, 'CrashLoopBackOff');
    const { stdout, stderr, code } = await why();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      `Release shop in ${namespace()} waits: wave 1 is applied when wave 0 is healthy\n`,
    );
    expect(stdout).toMatch(/^Waits +for \d+s, at most 5m: (4m\d+s|5m) left$/m);
    expect(stdout).toMatch(/^ {2}2 pods: CrashLoopBackOff, exit code 1, 3 restarts$/m);
    expect(stdout).toMatch(
      new RegExp(`^ {2}kubectl -n ${namespace()} logs web-\\S+ -c main --previous$`, 'm'),
    );
    const json = await why('-o', 'json', '--logs');
    expect(JSON.parse(json.stdout)).toMatchObject({
      gate: { wave: 1, afterWave: 0, failed: false, limit: '5m0s' },
      objects: [{ kind: 'Deployment', name: 'web', pods: [{ pods: 2 }], logs: { container: 'main' } }],
    });
  });

  it('tells a wave that failed', async () => {
    await release(deployment('web', 'image-pull') + later('1s'));
    await reason('WaveFailed');
    await podsWait(2, 'ImagePullBackOff');
    const { stdout } = await why();
    expect(stdout).toContain('has failed: wave 0 was not healthy within 1s, so wave 1 is not applied');
    expect(stdout).toContain('2 pods: ImagePullBackOff');
  });

  it('says so where the pods may not be read', async () => {
    await release(deployment('web', 'crash') + later('5m'));
    await reason('WaitingForWaveHealth');
    const rights = [
      '--verb=get',
      '--resource=releases.core.convoy.kumodo.io,releaseinventories.core.convoy.kumodo.io',
    ];
    await cluster.kubectl('-n', namespace(), 'create', 'role', 'reader', ...rights);
    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'rolebinding',
      'reader',
      '--role=reader',
      '--user=reader',
    );
    const { stdout, code } = await why('--as', 'reader');
    expect(code).toBe(0);
    expect(stdout).toContain('its pods cannot be read: deployments.apps "web" is forbidden');
  });

  it('says that it waits for nothing, and release sync --wait ends with 0', async () => {
    await release(deployment('web') + later('5m'));
    const synced = await convoy(['release', 'sync', 'shop', '-n', namespace(), '--wait', '--timeout', '50s']);
    expect(synced).toMatchObject({ code: 0, stderr: '' });
    expect(synced.stdout).toMatch(/\nRelease shop is synced: 2 objects in 2 waves, after \d+s\n$/);
    const { stdout } = await why();
    expect(stdout).toContain(`Release shop in ${namespace()} waits for nothing: it is ready`);
    const status = await convoy(['waves', 'status', 'shop', '-n', namespace()]);
    expect(status.stdout).toMatch(/^1 +1 +1 +1\/1 +\d+s ago +healthy, at most 5m +done$/m);
  });

  it('release sync --wait ends with 1 where a wave fails', async () => {
    await release(deployment('web', 'crash') + later('2s'));
    const synced = await convoy(['release', 'sync', 'shop', '-n', namespace(), '--wait', '--timeout', '50s']);
    expect(synced.code).toBe(1);
    expect(synced.stderr).toMatch(/why: WaveFailed: wave 0 did not become healthy within 2s/);
  });
});
