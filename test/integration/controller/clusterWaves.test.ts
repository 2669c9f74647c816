import { expect, test } from 'vitest';
import type { ReleaseSpec } from '../../../api/release.ts';
import { secondsOf, writesOfConvoy } from '../../support/auditOrder.ts';
import { firstAvailable } from '../../support/gateOrder.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, useAuditedReleases } from './fixture.ts';

const { releases, plane } = useAuditedReleases({ kwok: true });

type WaveStrategy = NonNullable<NonNullable<ReleaseSpec['syncPolicy']>['waveStrategy']>;

const HEALTHY = { wave: 1, strategy: 'waitForHealthy' } as const;
const ASSESSED = { healthAssessment: {} };
const DATABASE = 'database';
const FRONT = 'front';

const database = (fate: Fate): string => sourceOf(deploymentIn({ wave: 0 }, DATABASE, fate));

/** A Release of wave 0 with one Deployment. */
async function createDatabase(fate: Fate, name = DATABASE): Promise<void> {
  await releases.create(
    { source: { inline: sourceOf(deploymentIn({ wave: 0 }, name, fate)) }, ...ASSESSED },
    { name },
  );
}

/** A Release with one ConfigMap of its name, which waits for others. */
async function createFront(
  waveStrategy: WaveStrategy,
  { name = FRONT, spec = {} }: { name?: string; spec?: Partial<ReleaseSpec> } = {},
): Promise<void> {
  const source = { inline: sourceOf(configMapIn({ wave: 0 }, name)) };
  await releases.create({ source, ...ASSESSED, syncPolicy: { waveStrategy }, ...spec }, { name });
}

/** When Convoy first wrote an object, and when it first tested it by a dry run; seconds since 1970. */
async function firstWrites(resource: string, name: string): Promise<{ dryRun: number; apply: number }> {
  const events = await plane().auditEvents();
  const tests = events.filter(
    ({ objectRef, requestURI, stage }) =>
      stage === 'RequestReceived' &&
      objectRef?.namespace === releases.namespace &&
      objectRef.resource === resource &&
      objectRef.name === name &&
      requestURI.includes('dryRun=All'),
  );
  const applies = writesOfConvoy(events).filter(
    (write) => write.namespace === releases.namespace && write.resource === resource && write.name === name,
  );
  return {
    dryRun: Math.min(...tests.map(({ requestReceivedTimestamp }) => secondsOf(requestReceivedTimestamp))),
    apply: applies[0]?.at ?? NaN,
  };
}

test('a Release waits until one of a lower wave is healthy, names it, and is not even tested before', async () => {
  await createDatabase({ delay: '3s' });
  await createFront(HEALTHY);
  const held = await releases.ready('WaitingForClusterWave', FRONT);
  expect(readyMessage(held)).toMatch(
    /^cluster wave 1 waits for Releases of lower waves to be healthy: database \(wave 0, [A-Za-z ]+\); without limit$/,
  );
  expect(condition(held, 'Applied')).toMatchObject({ status: 'False', reason: 'WaitingForClusterWave' });
  expect(held.status?.lastAttempted?.failure).toBeUndefined();
  expect(held.status?.inventory).toBeUndefined();
  await releases.ready('Applied', FRONT);
  const available = firstAvailable(await plane().auditEvents()).get(`${releases.namespace}/${DATABASE}`);
  const { dryRun, apply } = await firstWrites('configmaps', FRONT);
  expect(dryRun).toBeGreaterThan(available ?? Infinity);
  expect(apply).toBeGreaterThan(dryRun);
});

test('with waitForApplied it does not wait for health, but for the apply', async () => {
  await createDatabase({ fail: 'unready' });
  await createFront({ wave: 1 });
  await releases.ready('Applied', FRONT);
  await createDatabase({}, 'cache');
  await releases.ready('Applied', 'cache');
  await releases.inline('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wrong}\ndata: [list]\n', 'cache');
  const says = /to be applied: cache \(wave 0, [A-Z][A-Za-z]+\); without limit$/;
  await releases.until((release) => says.test(readyMessage(release)), FRONT);
  await releases.inline(sourceOf(deploymentIn({ wave: 0 }, 'cache')), 'cache');
  await releases.ready('Applied', FRONT);
});

test('what does not pass in time is ClusterWaveFailed, without a rollback; it opens when they pass', async () => {
  await createDatabase({ fail: 'unready' });
  await createFront(
    { wave: 2, strategy: 'waitForHealthyWithTimeout', timeout: '3s' },
    { spec: { failurePolicy: { rollback: 'Never' } } },
  );
  const held = await releases.ready('WaitingForClusterWave', FRONT);
  expect(readyMessage(held)).toMatch(/; since \S+Z, until \S+Z \(3s\)$/);
  const failed = await releases.ready('ClusterWaveFailed', FRONT);
  expect(readyMessage(failed)).toMatch(
    /^Releases of lower waves were not healthy within 3s, so cluster wave 2 is not applied: database \(wave 0, /,
  );
  expect(condition(failed, 'Applied')).toMatchObject({ status: 'False', reason: 'ClusterWaveFailed' });
  expect(failed.status?.lastAttempted?.failure).toMatchObject({ stage: 'ClusterWave' });
  expect(failed.status?.rollout).toEqual(held.status?.rollout);
  expect(await releases.find(`configmaps/${FRONT}`)).toBeUndefined();
  await releases.event('Warning', 'ClusterWaveFailed', DATABASE);
  await releases.inline(database({}), DATABASE);
  const done = await releases.ready('Applied', FRONT);
  expect(done.status?.lastAttempted?.failure).toBeUndefined();
});

test('a new generation of one before it holds it until that one is healthy', async () => {
  await createDatabase({});
  await createFront(HEALTHY);
  await releases.ready('Applied', FRONT);
  await releases.inline(database({ delay: '3s' }), DATABASE);
  await releases.ready('WaitingForClusterWave', FRONT);
  await releases.patch({ spec: { source: { inline: sourceOf(configMapIn({ wave: 0 }, 'second')) } } }, FRONT);
  await releases.ready('WaitingForClusterWave', FRONT);
  await releases.ready('Applied', FRONT);
  const { apply } = await firstWrites('configmaps', 'second');
  const events = await plane().auditEvents();
  const healthyAt = events
    .filter(
      ({ objectRef, stage, requestObject }) =>
        stage === 'ResponseComplete' &&
        objectRef?.namespace === releases.namespace &&
        objectRef.resource === 'deployments' &&
        objectRef.subresource === 'status' &&
        (requestObject?.['status'] as { availableReplicas?: number } | undefined)?.availableReplicas === 1 &&
        requestObject?.metadata['generation'] === 2,
    )
    .map(({ requestReceivedTimestamp }) => secondsOf(requestReceivedTimestamp));
  expect(apply).toBeGreaterThan(Math.min(...healthyAt));
});

test('while one before it is not healthy, drift stays and its own health is still told', async () => {
  await createDatabase({});
  const both = sourceOf(configMapIn({ wave: 0 }, FRONT), deploymentIn({ wave: 0 }, 'pages'));
  await createFront(HEALTHY, { spec: { source: { inline: both } } });
  await releases.ready('Applied', FRONT);
  await releases.inline(database({ fail: 'unready' }), DATABASE);
  await releases.ready('WaitingForClusterWave', FRONT);
  await releases.patchConfigMap(FRONT, { data: { wave: 'edited' } });
  const path = `/apis/apps/v1/namespaces/${releases.namespace}/deployments/pages`;
  await releases.cluster.api.must('PATCH', path, { spec: { replicas: 0 } });
  await releases.cluster.api.must('PATCH', path, { spec: { progressDeadlineSeconds: 1, replicas: 2 } });
  await releases.until(
    (release) =>
      condition(release, 'Healthy')?.status === 'False' && release.status?.observedGeneration === 1,
    FRONT,
  );
  expect((await releases.find(`configmaps/${FRONT}`))?.['data']).toEqual({ wave: 'edited' });
  await releases.inline(database({}), DATABASE);
  await releases.ready('Applied', FRONT);
  expect((await releases.find(`configmaps/${FRONT}`))?.['data']).toEqual({ wave: '0' });
});

test('it goes on when the one before it is deleted, moves behind it, or both', async () => {
  await createDatabase({ fail: 'unready' });
  await createDatabase({ fail: 'unready' }, 'cache');
  await createFront(HEALTHY);
  await releases.until((release) => readyMessage(release).includes('cache (wave 0'), FRONT);
  await releases.patch({ spec: { syncPolicy: { waveStrategy: { wave: 1 } } } }, 'cache');
  await releases.until((release) => !readyMessage(release).includes('cache'), FRONT);
  await releases.cluster.kubectl('delete', 'release', DATABASE, '-n', releases.namespace, '--wait=false');
  await releases.ready('Applied', FRONT);
});

test('Releases of one wave do not wait for one another, nor for those of other namespaces', async () => {
  await createFront({ ...HEALTHY, wave: 0 });
  await createDatabase({ fail: 'unready' });
  await releases.ready('Applied', FRONT);
});

test('a sync request stays at work while the Release waits, also when that has failed', async () => {
  await createDatabase({ fail: 'unready' });
  await createFront({ wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '1s' });
  await releases.ready('ClusterWaveFailed', FRONT);
  const request = { id: 'one', force: true };
  await releases.patch(
    { metadata: { annotations: { 'convoy.kumodo.io/sync': JSON.stringify(request) } } },
    FRONT,
  );
  const asked = await releases.until(({ status }) => status?.sync?.active?.id === 'one', FRONT);
  expect(asked.status?.sync?.recent?.[0]?.result).toBeUndefined();
  await releases.inline(database({}), DATABASE);
  const done = await releases.until(({ status }) => status?.sync?.recent?.[0]?.result !== undefined, FRONT);
  expect(done.status?.sync?.recent?.[0]).toMatchObject({ id: 'one', result: 'Applied' });
});
