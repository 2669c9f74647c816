import { expect, test } from 'vitest';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, useReleases } from './fixture.ts';

const releases = useReleases();
const JOBS = '/apis/batch/v1';
const ASSESSED = { healthAssessment: {} };

/** A migration of wave 0 that is purged at the end of wave 1. */
function source(value: string, { delay, fail }: Fate = {}): string {
  const annotations = {
    ...(delay === undefined ? {} : { 'convoy.kumodo.io/test-delay': delay }),
    ...(fail === undefined ? {} : { 'convoy.kumodo.io/test-fail': fail }),
  };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { 'convoy.kumodo.io/purge-order': '1' } },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { annotations },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/main:1' }] },
      },
    },
  };
  const after = configMapIn({ wave: 2 }, 'after');
  return sourceOf(job, configMapIn({ wave: 1 }, `settings-${value}`), after);
}

async function entryOfJob() {
  const [shard] = await releases.inventory();
  const { entries } = shard?.['spec'] as { entries: { name: string; purged?: boolean; uid?: string }[] };
  return entries.find(({ name }) => name === 'migrate');
}

test('an object is purged at the end of its purge wave, when its own wave is healthy, and stays away', async () => {
  await releases.create({ source: { inline: source('one', { delay: '2s' }) }, ...ASSESSED });
  const held = await releases.ready('WaitingForStage');
  expect(readyMessage(held)).toMatch(
    /^batch\/Job migrate in \S+: purged when its wave is healthy: .*Progressing/,
  );
  expect(await releases.find('configmaps/after')).toBeUndefined();

  const done = await releases.ready('Applied');
  await releases.untilGone('jobs', 'migrate');
  expect(await entryOfJob()).toMatchObject({ purged: true, health: { state: 'Healthy', message: 'purged' } });
  expect(await entryOfJob()).not.toHaveProperty('uid');
  expect(condition(done, 'Healthy')).toMatchObject({ status: 'True', reason: 'AllHealthy' });
  expect(done.status?.waves?.map(({ number, healthy }) => [number, healthy])).toEqual([
    [0, true],
    [1, true],
    [2, true],
  ]);

  await releases.patch({ spec: { interval: '20m' } });
  await releases.ready('Applied');
  expect(await releases.find('jobs/migrate', JOBS)).toBeUndefined();
});

test('a new render runs it again', async () => {
  await releases.create({ source: { inline: source('one') }, ...ASSESSED });
  await releases.ready('Applied');
  await releases.untilGone('jobs', 'migrate');
  const again = releases.cluster.api.waitForNamed(
    `${JOBS}/namespaces/${releases.namespace}/jobs`,
    'migrate',
    () => true,
  );
  await releases.inline(source('two'));
  await again;
  await releases.ready('Applied');
  await releases.untilGone('jobs', 'migrate');
});

test('without a health bar it is purged when its purge wave is applied', async () => {
  await releases.create({ source: { inline: source('one', { fail: 'unready' }) } });
  await releases.ready('Applied');
  await releases.untilGone('jobs', 'migrate');
  expect(await entryOfJob()).toMatchObject({ purged: true });
});

test('one that failed is not purged, so that somebody can look at it', async () => {
  await releases.create({ source: { inline: source('one', { fail: 'exit' }) }, ...ASSESSED });
  const held = await releases.ready('WaitingForStage');
  expect(readyMessage(held)).toContain('purged when its wave is healthy');
  await releases.until(({ status }) => status?.health?.degraded === 1);
  expect(await releases.find('jobs/migrate', JOBS)).toBeDefined();
});
