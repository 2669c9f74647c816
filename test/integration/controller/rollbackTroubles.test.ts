import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Release, ReleaseSpec } from '../../../api/release.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, NAME, namesIn, Releases } from './fixture.ts';

const cluster = useCluster();
let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

beforeEach(async () => {
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
});

afterEach(async () => {
  await controller.stop();
});

const version = (fate: Fate, ...others: object[]): string =>
  sourceOf(deploymentIn({ wave: 0 }, 'store', fate), ...others);

const SPEC: Omit<ReleaseSpec, 'source'> = {
  healthAssessment: { deadline: '4s' },
  failurePolicy: { rollback: 'OnReleaseFailure' },
  syncPolicy: { prune: { orphaned: true } },
};

const stateIs =
  (state: string) =>
  ({ metadata, status }: Release): boolean =>
    status?.observedGeneration === metadata.generation && status?.rollout?.state === state;

async function shipped(...others: object[]): Promise<Release> {
  await releases.create({ source: { inline: version({}, ...others) }, ...SPEC });
  return await releases.until(stateIs('Succeeded'));
}

async function deployed(): Promise<{ fate: string; generation: unknown }> {
  const found = await releases.find('deployments/store', '/apis/apps/v1');
  const { template } = found?.['spec'] as {
    template: { metadata: { annotations?: Record<string, string> } };
  };
  const fate = template.metadata.annotations?.['convoy.kumodo.io/test-fail'] ?? 'well';
  return { fate, generation: found?.metadata['generation'] };
}

async function restart(): Promise<void> {
  await controller.kill();
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
}

test('a deadline that passes while no controller is there ends the rollout when one is there again', async () => {
  await shipped();
  await releases.inline(version({ fail: 'crash' }));
  const open = await releases.until(stateIs('Progressing'));
  await restart();
  const back = await releases.until(stateIs('RolledBack'));
  expect(back.status?.rollout?.startedAt).toBe(open.status?.rollout?.startedAt);
  expect((await deployed()).fate).toBe('well');
});

test('a controller that starts anew keeps to a rollback, and does not touch what is as it should be', async () => {
  await shipped();
  await releases.inline(version({ fail: 'crash' }));
  const back = await releases.until(stateIs('RolledBack'));
  const before = await deployed();
  await restart();
  await releases.patch({ metadata: { annotations: { touched: 'once' } } });
  await releases.patch({ spec: { interval: '7m' } });
  const after = await releases.until(stateIs('RolledBack'));
  expect(after.status?.rollout).toEqual(back.status?.rollout);
  expect(await deployed()).toEqual(before);
});

test('a version that comes while another one fails supersedes it at once', async () => {
  await shipped();
  await releases.inline(version({ fail: 'crash' }));
  await releases.until(stateIs('Progressing'));
  await releases.inline(version({ delay: '100ms' }));
  const done = await releases.until(stateIs('Succeeded'));
  expect(done.status?.rollout?.renderRef).toBe(done.status?.lastAttempted?.renderRef);
  expect((await deployed()).fate).toBe('well');
});

test('a paused Deployment fails no rollout by its deadline', async () => {
  await shipped();
  const paused = deploymentIn({ wave: 0 }, 'store', { fail: 'crash' }) as { spec: object };
  await releases.inline(sourceOf({ ...paused, spec: { ...paused.spec, paused: true } }));
  const open = await releases.until(stateIs('Progressing'));
  // One that begins later fails by the same deadline.
  const later = { ...SPEC, source: { inline: version({ fail: 'crash' }).replaceAll('store', 'other') } };
  await releases.create({ ...later, failurePolicy: { rollback: 'Never' } }, { name: 'later' });
  await releases.until(stateIs('Failed'), 'later');
  const still = await releases.get();
  expect(still.status?.rollout).toEqual(open.status?.rollout);
  expect(condition(still, 'Healthy')).toMatchObject({ status: 'Unknown', reason: 'AssessmentUnknown' });
});

test('what the failed version had removed comes back, with its Namespace', async () => {
  const own = `${releases.namespace}-own`;
  const namespaced = (name: string): object => {
    const object = configMapIn({ wave: 2 }, name) as { metadata: object };
    return { ...object, metadata: { ...object.metadata, namespace: own } };
  };
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: own } };
  await shipped(place, namespaced('inner'));
  await releases.inline(version({ fail: 'crash' }, configMapIn({ wave: 0 }, 'fresh')));
  await releases.until(stateIs('RolledBack'));
  expect(await releases.findAt(`/api/v1/namespaces/${own}/configmaps/inner`)).toBeDefined();
  expect(await releases.find('configmaps/fresh')).toBeUndefined();
  expect((await releases.inventory()).flatMap(namesIn).sort()).toEqual(['inner', own, 'store'].sort());
});

test('a Job that was purged is not run again by a rollback', async () => {
  const job = (image: string): object => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { 'convoy.kumodo.io/purge-order': '0' } },
    spec: {
      template: {
        metadata: { annotations: { 'convoy.kumodo.io/test-delay': '100ms' } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] },
      },
    },
  });
  await shipped(job('registry.example/one'));
  await releases.inline(version({ fail: 'crash' }, job('registry.example/two')));
  await releases.until(stateIs('RolledBack'));
  expect(await releases.find('jobs/migrate', '/apis/batch/v1')).toBeUndefined();
  const { status } = await releases.ready('RolledBack');
  expect(status?.health).toEqual({ healthy: 2, progressing: 0, degraded: 0, unknown: 0 });
});

test('what another Release has taken over meanwhile is not taken back, and both errors are told', async () => {
  await releases.create({
    source: { inline: version({}, configMapIn({ wave: 0 }, 'shared')) },
    ...SPEC,
    syncPolicy: {},
  });
  await releases.until(stateIs('Succeeded'));
  await releases.inline(version({ fail: 'crash' }));
  await releases.until(stateIs('Progressing'));
  await releases.create(
    {
      source: {
        inline: sourceOf(configMapIn({ wave: 0 }, 'shared, annotations')).replace(
          '"shared, annotations","annotations":{',
          '"shared","annotations":{"convoy.kumodo.io/adoption-policy":"Always",',
        ),
      },
    },
    { name: 'heir' },
  );
  await releases.ready('Applied', 'heir');
  const failed = await releases.until(
    (release) => condition(release, 'Ready')?.reason === 'ApplyFailed' && stateIs('RolledBack')(release),
  );
  expect(readyMessage(failed)).toMatch(
    /^rollback to sha256:\S+ failed: [\s\S]*ConfigMap shared[\s\S]*\nrelease did not become healthy within 4s/,
  );
  const event = await releases.event('Warning', 'ApplyFailed', 'rollback to');
  expect(event['note']).toContain('release did not become healthy');
  expect(failed.metadata.name).toBe(NAME);
});
