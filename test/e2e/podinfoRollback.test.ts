import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDuration } from '../../api/duration.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import type { ApiObject } from '../controlplane/apiAccess.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { condition, useAuditedReleases } from '../integration/controller/fixture.ts';
import { haveManifests, manifestsFolder } from '../support/manifests.ts';

/** From the deadline to the last write of the rollback, on a busy machine. */
const PROMPT_MS = 1_000;
const DEADLINE = '15s';

type Mutation = NonNullable<ReleaseSpec['mutations']>[number];
type Rollback = NonNullable<NonNullable<ReleaseSpec['failurePolicy']>['rollback']>;

/** The Service and the autoscaler wait for the Deployment. */
const GATE: Mutation = {
  type: 'syncWave',
  target: { kind: 'Service' },
  waveStrategy: { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '8s' },
};

/** No metrics server stands here, so the autoscaler cannot tell a number. */
const NO_METRICS: Mutation = {
  type: 'annotations',
  target: { kind: 'HorizontalPodAutoscaler' },
  annotations: { 'convoy.kumodo.io/health': 'ignore' },
};

/** Version 2: another image, whose pods crash. */
const CRASH: Mutation[] = [
  { type: 'images', images: [{ name: 'ghcr.io/stefanprodan/podinfo', newTag: '6.15.0' }] },
  {
    type: 'mergePatch',
    target: { kind: 'Deployment' },
    mergePatch: {
      spec: { template: { metadata: { annotations: { 'convoy.kumodo.io/test-fail': 'crash' } } } },
    },
  },
];

describe.runIf(haveManifests())('podinfo, whose second version crashes', { timeout: 120_000 }, () => {
  const { releases, plane } = useAuditedReleases({ kwok: true });
  let source = '';

  beforeAll(async () => {
    const folder = join(manifestsFolder('podinfo'), 'kustomize');
    const files = ['deployment.yaml', 'service.yaml', 'hpa.yaml'].map((file) =>
      readFile(join(folder, file), 'utf8'),
    );
    source = (await Promise.all(files)).join('\n---\n');
  });

  async function shipBroken(
    rollback: Rollback | undefined,
    gated: boolean,
  ): Promise<{ first: string; second: Release }> {
    const mutations = gated ? [NO_METRICS, GATE] : [NO_METRICS];
    await releases.create({
      source: { inline: source },
      mutations,
      healthAssessment: { deadline: DEADLINE },
      ...(rollback === undefined ? {} : { failurePolicy: { rollback } }),
    });
    const well = await releases.until(({ status }) => status?.lastHealthy !== undefined);
    await releases.patch({ spec: { mutations: [...mutations, ...CRASH] } });
    const attempted = await releases.until(
      ({ status }) =>
        status?.lastAttempted?.renderRef !== undefined &&
        status.lastAttempted.renderRef !== well.status?.lastHealthy?.renderRef,
    );
    return { first: well.status?.lastHealthy?.renderRef ?? '', second: attempted };
  }

  async function list(path: string): Promise<ApiObject[]> {
    const { items } = (await releases.cluster.api.must('GET', path)) as unknown as { items: ApiObject[] };
    return items;
  }

  /** ReplicaSets of the Deployment by revision: the image's tag and how many pods are ready. */
  async function replicaSets(): Promise<string[]> {
    const found = await list(`/apis/apps/v1/namespaces/${releases.namespace}/replicasets`);
    return found
      .map((set) => {
        const spec = set['spec'] as {
          replicas: number;
          template: { spec: { containers: { image: string }[] } };
        };
        const { readyReplicas = 0 } = set['status'] as { readyReplicas?: number };
        const tag = spec.template.spec.containers[0]?.image.split(':')[1] ?? '';
        return `${tag}: ${readyReplicas} of ${spec.replicas}`;
      })
      .sort();
  }

  /** Writes of the controller to objects of the render since a time. */
  async function writesSince(at: number): Promise<AuditEvent[]> {
    const resources = ['deployments', 'services', 'horizontalpodautoscalers'];
    return (await plane().auditEvents()).filter(
      ({ userAgent = '', verb, stage, objectRef, stageTimestamp }) =>
        userAgent.startsWith('convoy/') &&
        verb === 'patch' &&
        stage === 'ResponseComplete' &&
        objectRef?.namespace === releases.namespace &&
        resources.includes(objectRef.resource) &&
        Date.parse(stageTimestamp) >= at,
    );
  }

  function deadlineOf({ status }: Release): number {
    return Date.parse(status?.rollout?.startedAt ?? '') + (parseDuration(DEADLINE) ?? 0);
  }

  async function expectOldServes(first: string, back: Release): Promise<void> {
    await expect.poll(replicaSets, { timeout: 20_000 }).toEqual(['6.14.1: 2 of 2', '6.15.0: 0 of 0']);
    const slices = await list(`/apis/discovery.k8s.io/v1/namespaces/${releases.namespace}/endpointslices`);
    const ready = slices.flatMap((slice) => slice['endpoints'] as { conditions: { ready: boolean } }[]);
    expect(ready.map(({ conditions }) => conditions.ready)).toEqual([true, true]);
    expect(back.status?.lastSuccessful?.renderRef).toBe(first);
    const healed = await releases.ready('RolledBack');
    expect(condition(healed, 'Ready')?.status).toBe('True');
    expect(condition(healed, 'Healthy')).toMatchObject({ status: 'True', reason: 'AllHealthy' });
    expect(condition(healed, 'RolloutSucceeded')).toMatchObject({ status: 'False', reason: 'RolledBack' });
  }

  test.each(['OnReleaseFailure', 'OnWaveFailure'] as const)(
    '%s: the deadline brings version 1 back within a second, in one step and without a dry run',
    async (rollback) => {
      const { first } = await shipBroken(rollback, false);
      const back = await releases.until(({ status }) => status?.rollout?.state === 'RolledBack');
      const deadline = deadlineOf(back);
      await expectOldServes(first, back);
      const writes = await writesSince(deadline);
      const last = Math.max(...writes.map(({ stageTimestamp }) => Date.parse(stageTimestamp)));
      console.log(`${rollback}: rolled back ${last - deadline} ms after the deadline`);
      expect(last - deadline).toBeLessThan(PROMPT_MS);
      expect(writes.filter(({ requestURI }) => requestURI.includes('dryRun'))).toEqual([]);
      expect(new Set(writes.map(({ objectRef }) => objectRef?.resource))).toContain('deployments');
      expect(back.status?.rollout?.message).toMatch(
        new RegExp(
          `^release did not become healthy within 15s; rolled back to ${first}\napps/Deployment podinfo`,
        ),
      );
      await releases.event('Normal', 'RolloutSucceeded', 'all objects became healthy');
      await releases.event('Warning', 'RolledBack', `rolled back to ${first}`);
    },
  );

  test('Never: the deadline leaves version 2 where it is', async () => {
    await shipBroken('Never', false);
    const failed = await releases.until(({ status }) => status?.rollout?.state === 'Failed');
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    const sets = await replicaSets();
    expect(sets[0]).toBe('6.14.1: 2 of 2');
    expect(sets[1]).toMatch(/^6\.15\.0: 0 of [12]$/);
    await releases.event('Warning', 'RolloutFailed', 'spec.failurePolicy.rollback is Never');
  });

  test.each([
    [undefined, 'WaveFailed', undefined],
    ['Never', 'RolloutFailed', 'Failed'],
    ['OnReleaseFailure', 'RolloutFailed', 'Failed'],
    ['OnWaveFailure', 'RolledBack', 'RolledBack'],
  ] as const)('a wave that fails under %s: Applied %s, rollout %s', async (rollback, applied, state) => {
    const { first } = await shipBroken(rollback, true);
    const failed = await releases.until((release) => condition(release, 'Applied')?.reason === applied);
    expect(failed.status?.rollout?.state).toBe(state);
    if (state === 'RolledBack') await expectOldServes(first, failed);
    else expect((await replicaSets())[1]).toMatch(/^6\.15\.0: 0 of [12]$/);
  });
});
