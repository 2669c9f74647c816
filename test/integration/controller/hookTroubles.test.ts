import { expect, test } from 'vitest';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { condition, documents, NAME, useReleases } from './fixture.ts';
import {
  hook,
  hookNamed,
  hookYaml,
  jobNamed,
  jobs,
  podsOf,
  told,
  untilHook,
  untilMade,
} from './hookObjects.ts';

const releases = useReleases();

const HOLD = 'example.com/hold';
const JOBS = () => `/apis/batch/v1/namespaces/${releases.namespace}/jobs`;

async function letGo(job: string): Promise<void> {
  await releases.cluster.api.must('PATCH', `${JOBS()}/${job}`, { metadata: { finalizers: null } });
}

test('a Job with a TTL of 0 counts by how it ended, and goes then (edge case 25)', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate', {}, { spec: { ttlSecondsAfterFinished: 0 } })] },
  });
  const done = await releases.ready('Applied');
  expect(told(done)).toEqual(['preSync migrate Succeeded']);
  await releases.untilGone('job', hookNamed(done, 'migrate').job ?? '');

  await releases.patch({ metadata: { annotations: { touched: 'yes' } } });
  await releases.patchConfigMap('web', { data: { key: 'edited' } });
  await releases.cluster.api.waitForNamed(
    `/api/v1/namespaces/${releases.namespace}/configmaps`,
    'web',
    (object) => JSON.stringify(object['data']) === '{"key":"value"}',
  );
  expect(told(await releases.get())).toEqual(['preSync migrate Succeeded']);
  expect(await jobs(releases)).toEqual([]);
});

test('a Job that somebody else gives a TTL of 0 counts by what was seen of it (edge case 25)', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate', { delay: '2s' })] },
  });
  const { job = '' } = hookNamed(await untilMade(releases, 'migrate'), 'migrate');
  await releases.cluster.api.must('PATCH', `${JOBS()}/${job}`, { spec: { ttlSecondsAfterFinished: 0 } });
  expect(told(await releases.ready('Applied'))).toEqual(['preSync migrate Succeeded']);
  await releases.untilGone('job', job);
});

test('a Job that somebody deletes has failed, and the finalizer that holds it is named and holds up nothing (edge case 26)', async () => {
  const held = hookYaml('migrate', 'preSync', { delay: '10m', finalizers: [HOLD] });
  await releases.create({ source: { inline: documents(configMapYaml('web'), held) } });
  const running = await untilMade(releases, 'migrate');
  const { job = '' } = hookNamed(running, 'migrate');
  const { metadata } = await jobNamed(releases, job);
  expect(metadata['finalizers']).toEqual([HOLD]);
  await releases.cluster.kubectl('delete', 'job', job, '-n', releases.namespace, '--wait=false');
  const failed = await releases.ready('HookFailed');
  expect(hookNamed(failed, 'migrate').message).toBe(
    `its Job was deleted before it ended, and is held by the finalizer ${HOLD}`,
  );
  expect(readyMessage(failed)).toContain(HOLD);

  await releases.inline(configMapYaml('web'));
  await releases.ready('Applied');
  expect(await releases.event('Warning', 'HookHeld', `held by the finalizer ${HOLD}`)).toBeDefined();
  expect((await jobs(releases)).map(({ metadata: { name } }) => name)).toEqual([job]);
  await letGo(job);
});

test('a Job that has ended and is held counts by how it ended', async () => {
  const held = hookYaml('migrate', 'preSync', { finalizers: [HOLD] });
  await releases.create({ source: { inline: documents(configMapYaml('web'), held) } });
  const { job = '' } = hookNamed(await releases.ready('Applied'), 'migrate');
  await releases.inline(configMapYaml('web'));
  expect((await releases.ready('Applied')).status?.hooks).toBeUndefined();
  expect((await jobNamed(releases, job)).metadata['deletionTimestamp']).toBeDefined();
  await letGo(job);
});

test('a new render takes the place of one whose hook still runs: its pods are gone before anything of the new one (edge case 41)', async () => {
  await releases.create({
    source: { inline: configMapYaml('second') },
    lifecycleHooks: { preSync: [hook('migrate', { delay: '10m' })] },
  });
  const second = await untilMade(releases, 'migrate');
  const { job = '' } = hookNamed(second, 'migrate');
  await releases.cluster.api.waitFor(
    `/api/v1/namespaces/${releases.namespace}/pods`,
    ({ status }) => (status as { phase?: string }).phase === 'Running',
  );
  await releases.patch({
    spec: {
      source: { inline: configMapYaml('third') },
      lifecycleHooks: { preSync: [hook('migrate', { delay: '1s' })] },
    },
  });
  const third = await releases.until(({ status }) => {
    const next = status?.hooks?.[0];
    return next?.uid !== undefined && next.job !== job;
  });
  expect(third.status?.hookSync?.renderRef).not.toBe(second.status?.hookSync?.renderRef);
  expect(await podsOf(releases, job)).toEqual([]);
  await releases.ready('Applied');
  expect((await jobs(releases)).map(({ metadata: { name } }) => name)).not.toContain(job);
  expect(await releases.find('configmaps/second')).toBeUndefined();
  expect(await releases.event('Normal', 'HookEnded', 'preSync hook migrate is ended')).toBeDefined();
});

test('a wave that fails starts the syncFailed hooks once', async () => {
  const gate = { strategy: 'waitForHealthyWithTimeout' as const, timeout: '1s' };
  await releases.create({
    source: {
      inline: sourceOf(
        deploymentIn({ wave: 0 }, 'store', { fail: 'crash' }),
        configMapIn({ wave: 1, ...gate }, 'front'),
      ),
    },
    healthAssessment: {},
    lifecycleHooks: { postSync: [hook('tell')], syncFailed: [hook('alarm')] },
  });
  await untilHook(releases, 'alarm', 'Succeeded');
  const failed = await releases.ready('WaveFailed');
  expect(told(failed)).toEqual(['postSync tell Pending', 'syncFailed alarm Succeeded']);
  await releases.patch({ metadata: { annotations: { touched: 'yes' } }, spec: { interval: '9m' } });
  await releases.ready('WaveFailed');
  expect(await jobs(releases)).toHaveLength(1);
});

test('a rollback runs no hooks', async () => {
  await releases.create({
    source: { inline: sourceOf(deploymentIn({ wave: 0 }, 'store', {})) },
    healthAssessment: { deadline: '5s' },
    failurePolicy: { rollback: 'OnReleaseFailure' },
    lifecycleHooks: { preSync: [hook('migrate')], syncFailed: [hook('alarm')] },
  });
  const first = await releases.until(({ status }) => status?.rollout?.state === 'Succeeded');
  await releases.inline(sourceOf(deploymentIn({ wave: 0 }, 'store', { fail: 'crash' })));
  const back = await releases.ready('RolledBack');
  expect(back.status?.hookSync?.renderRef).not.toBe(first.status?.hookSync?.renderRef);
  expect(told(back)).toEqual(['preSync migrate Succeeded', 'syncFailed alarm Skipped']);
  expect((await jobs(releases)).map(({ metadata: { name } }) => name)).toEqual([
    hookNamed(back, 'migrate').job,
  ]);
});

test('a hook that runs when its render is rolled back is ended, and says so', async () => {
  const spec = {
    healthAssessment: { deadline: '5s' },
    failurePolicy: { rollback: 'OnReleaseFailure' as const },
  };
  await releases.create({ source: { inline: sourceOf(deploymentIn({ wave: 0 }, 'store', {})) }, ...spec });
  await releases.until(({ status }) => status?.rollout?.state === 'Succeeded');
  await releases.patch({
    spec: {
      source: { inline: sourceOf(deploymentIn({ wave: 0 }, 'store', { fail: 'crash' })) },
      lifecycleHooks: { postSync: [hook('smoke', { delay: '10m' })], syncFailed: [hook('alarm')] },
    },
  });
  const { job = '' } = hookNamed(await untilMade(releases, 'smoke'), 'smoke');
  const back = await releases.ready('RolledBack');
  expect(told(back)).toEqual(['postSync smoke Skipped', 'syncFailed alarm Skipped']);
  expect(hookNamed(back, 'smoke').message).toBe('the render was rolled back');
  await releases.untilGone('job', job);
});

test('a Release that is deleted takes its hooks with it, also from another namespace', async () => {
  const elsewhere = `${releases.namespace}-jobs`;
  await releases.cluster.api.must('POST', '/api/v1/namespaces', { metadata: { name: elsewhere } });
  await releases.create({
    source: { inline: configMapYaml('web') },
    targetNamespace: elsewhere,
    lifecycleHooks: { preSync: [hook('migrate', { delay: '10m' })] },
  });
  const running = await untilMade(releases, 'migrate');
  expect(condition(running, 'Applied')).toMatchObject({ reason: 'WaitingForHook' });
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=60s');
  const { job = '' } = hookNamed(running, 'migrate');
  await releases.cluster.kubectl('wait', '--for=delete', '--timeout=60s', '-n', elsewhere, `job/${job}`);
  await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${elsewhere}`);
});
