import { expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, useReleases } from './fixture.ts';

const releases = useReleases();

const LIMIT_MS = 8_000;
const LIMIT = '8s';
/** Well below the time between the last scale-up and the end of a limit that began there again (ms). */
const SLACK_MS = 2_500;

const AUTOSCALERS = (): string =>
  `/apis/autoscaling/v2/namespaces/${releases.namespace}/horizontalpodautoscalers`;

/** Somebody else's autoscaler, which wants so many pods whatever their load. */
async function scaleTo(replicas: number): Promise<void> {
  const { status } = await releases.cluster.api.request('GET', `${AUTOSCALERS()}/web`);
  if (status === 404) {
    await releases.cluster.api.must('POST', AUTOSCALERS(), {
      metadata: { name: 'web' },
      spec: {
        minReplicas: replicas,
        maxReplicas: 10,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    });
  } else {
    await releases.cluster.api.must('PATCH', `${AUTOSCALERS()}/web`, { spec: { minReplicas: replicas } });
  }
  await deployed(({ spec }) => spec.replicas === replicas);
}

interface Deployment {
  spec: { replicas?: number };
  status?: { readyReplicas?: number };
}

async function deployed(predicate: (deployment: Deployment) => boolean): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${releases.namespace}/deployments`;
  await releases.cluster.api.waitForNamed(path, 'web', (object) =>
    predicate(object as unknown as Deployment),
  );
}

/** A Deployment that is silent about its replicas, and a wave behind it. */
function source(fate: Fate, gate = {}): string {
  const { spec, ...rest } = deploymentIn({ wave: 0 }, 'web', fate) as { spec: Record<string, unknown> };
  delete spec['replicas'];
  return sourceOf({ ...rest, spec }, configMapIn({ wave: 1, ...gate }, 'behind'));
}

/** How long after a time a condition became what it is (ms); conditions tell whole seconds. */
function lasted(release: Release, type: 'Ready' | 'RolloutSucceeded', since: string | undefined): number {
  const found = release.status?.conditions?.find((entry) => entry.type === type);
  return Date.parse(found?.lastTransitionTime ?? '') - Date.parse(since ?? '');
}

test('a scale-up while a rollout waits does not restart its deadline', async () => {
  await releases.create({
    source: { inline: source({ fail: 'unready' }) },
    healthAssessment: { deadline: LIMIT },
    failurePolicy: { rollback: 'Never' },
  });
  const begun = await releases.until(({ status }) => status?.waves?.length === 2);
  await scaleTo(2);
  await scaleTo(4);
  const failed = await releases.until(({ status }) => status?.rollout?.state === 'Failed');
  expect(failed.status?.rollout?.startedAt).toBe(begun.status?.rollout?.startedAt);
  expect(lasted(failed, 'RolloutSucceeded', begun.status?.rollout?.startedAt)).toBeLessThan(
    LIMIT_MS + SLACK_MS,
  );
});

test('nor that of a gate', async () => {
  const gate = { strategy: 'waitForHealthyWithTimeout', timeout: LIMIT };
  await releases.create({ source: { inline: source({ fail: 'unready' }, gate) }, healthAssessment: {} });
  const held = await releases.ready('WaitingForWaveHealth');
  const [wave] = held.status?.waves ?? [];
  await scaleTo(2);
  await scaleTo(4);
  const failed = await releases.until((release) => condition(release, 'Applied')?.reason === 'WaveFailed');
  expect(readyMessage(failed)).toContain('Deployment web');
  expect(failed.status?.waves?.[0]?.startedAt).toBe(wave?.startedAt);
  expect(Date.parse(failed.status?.lastAttempted?.at ?? '') - Date.parse(wave?.startedAt ?? '')).toBeLessThan(
    LIMIT_MS + SLACK_MS,
  );
});

test('a scale-up after a rollout is no new one, and fails nothing', async () => {
  await releases.create({
    source: { inline: source({ delay: '1s' }) },
    healthAssessment: { deadline: '2s' },
    failurePolicy: { rollback: 'OnReleaseFailure' },
  });
  const done = await releases.until(({ status }) => status?.rollout?.state === 'Succeeded');
  await scaleTo(3);
  await releases.until((release) => condition(release, 'Healthy')?.status === 'False');
  const scaled = await releases.until((release) => condition(release, 'Healthy')?.status === 'True');
  expect(scaled.status?.rollout).toEqual(done.status?.rollout);
  expect(scaled.status?.history).toEqual(done.status?.history);
  await deployed(({ spec, status }) => spec.replicas === 3 && status?.readyReplicas === 3);
});
