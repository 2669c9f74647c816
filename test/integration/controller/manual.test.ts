import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SYNC } from '../../../api/annotations.ts';
import type { Release, ReleaseSpec } from '../../../api/release.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, Releases } from './fixture.ts';

const cluster = useCluster();
let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

beforeEach(async () => {
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
});

afterEach(async () => {
  await controller.stop();
});

const MANUAL: Omit<ReleaseSpec, 'source'> = { syncPolicy: { mode: 'Manual', prune: { orphaned: true } } };
const GATED = { wave: 1, strategy: 'waitForHealthy' } as const;

const waves = (fate: Fate): string =>
  sourceOf(deploymentIn({ wave: 0 }, 'store', fate), configMapIn(GATED, 'front'));

async function ask(id: string, request: object = {}): Promise<void> {
  await releases.patch({ metadata: { annotations: { [SYNC]: JSON.stringify({ id, ...request }) } } });
}

const outcome = ({ status }: Release, id: string): string | undefined =>
  status?.sync?.recent?.find((request) => request.id === id)?.result;

async function sync(id: string, request: object = {}): Promise<Release> {
  await ask(id, request);
  return await releases.until((release) => outcome(release, id) !== undefined);
}

async function restart(): Promise<void> {
  await controller.kill();
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
}

const isDrifted = (release: Release): boolean => readyMessage(release).startsWith('Drifted: ');
const stateIs =
  (state: string) =>
  ({ metadata, status }: Release): boolean =>
    status?.observedGeneration === metadata.generation && status?.rollout?.state === state;

async function edit(color: string, manager = 'somebody'): Promise<void> {
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps/web?fieldManager=${manager}`;
  await releases.cluster.api.must('PATCH', path, { data: { color } });
}

async function colorOf(): Promise<string | undefined> {
  return ((await releases.find('configmaps/web'))?.['data'] as { color?: string } | undefined)?.color;
}

async function metric(): Promise<string | undefined> {
  const text = await (await fetch(`${await releases.controller.url}/metrics`)).text();
  return /^convoy_drifted_objects (\d+)$/m.exec(text)?.[1];
}

async function standing(spec: Partial<ReleaseSpec> = {}): Promise<void> {
  await releases.create({ source: { inline: configMapYaml('web', { color: 'green' }) }, ...MANUAL, ...spec });
  await releases.ready('WaitingForSync');
  expect(outcome(await sync('first'), 'first')).toBe('Applied');
}

async function drifted(): Promise<Release> {
  await edit('red');
  return await releases.until(isDrifted);
}

describe('in manual mode a render', () => {
  test('waits for a request, and is applied by it', async () => {
    await releases.create({ source: { inline: configMapYaml('web') }, ...MANUAL });
    const waiting = await releases.ready('WaitingForSync');
    expect(condition(waiting, 'Applied')).toMatchObject({ status: 'False', reason: 'WaitingForSync' });
    expect(readyMessage(waiting)).toContain(`kubectl convoy release sync app -n ${releases.namespace}`);
    expect(await releases.find('configmaps/web')).toBeUndefined();
    await sync('go');
    await releases.ready('Applied');
    expect(await releases.find('configmaps/web')).toBeDefined();
  });

  test('that is new leaves what stands applied alone, prunes nothing, and is tested when it is asked for', async () => {
    await standing();
    await releases.inline(configMapYaml('other'));
    await releases.ready('WaitingForSync');
    expect(await releases.find('configmaps/other')).toBeUndefined();
    await releases.inline(configMapYaml('other', { color: 'x' }).replace('\ndata:', '\ndada:'));
    await releases.ready('WaitingForSync');
    const refused = await sync('bad');
    expect(outcome(refused, 'bad')).toMatch(/^DryRunFailed: /);
    const still = await releases.ready('DryRunFailed');
    expect(readyMessage(still)).toContain('nothing was applied');
    await releases.inline(configMapYaml('other'));
    await releases.ready('WaitingForSync');
    expect(await releases.find('configmaps/web')).toBeDefined();
    await sync('good');
    await releases.ready('Applied');
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('that was asked for goes on by itself between waves, also in another controller', async () => {
    await releases.create({
      source: { inline: waves({ fail: 'unready' }) },
      healthAssessment: {},
      ...MANUAL,
    });
    await releases.ready('WaitingForSync');
    await ask('go');
    await releases.ready('WaitingForWaveHealth');
    await restart();
    const pods = `/api/v1/namespaces/${releases.namespace}/pods`;
    const pod = await releases.cluster.api.waitFor(pods, () => true);
    const healed = { metadata: { annotations: { 'convoy.kumodo.io/test-fail': null } } };
    await releases.cluster.api.must('PATCH', `${pods}/${pod.metadata.name}`, healed);
    const done = await releases.ready('Applied');
    expect(outcome(done, 'go')).toBe('Applied');
    expect(done.status?.sync?.active).toBeUndefined();
  });

  test('opens a rollout while it waits, whose deadline runs from its first apply', async () => {
    await standing({ healthAssessment: { deadline: '2s' }, failurePolicy: { rollback: 'OnReleaseFailure' } });
    await releases.until(stateIs('Succeeded'));
    await releases.inline(waves({ delay: '100ms' }));
    const open = await releases.until(stateIs('Progressing'));
    expect(condition(open, 'RolloutSucceeded')).toMatchObject({ status: 'Unknown' });
    // Another one that fails by the same deadline begins and ends meanwhile.
    const policy = { healthAssessment: { deadline: '3s' }, failurePolicy: { rollback: 'Never' } } as const;
    await releases.create({ source: { inline: waves({ fail: 'crash' }) }, ...policy }, { name: 'later' });
    await releases.until(stateIs('Failed'), 'later');
    expect((await releases.get()).status?.rollout).toEqual(open.status?.rollout);
    await releases.cluster.kubectl('delete', 'release', 'later', '-n', releases.namespace);
    await sync('go');
    const done = await releases.until(stateIs('Succeeded'));
    expect(Date.parse(done.status?.rollout?.startedAt ?? '')).toBeGreaterThan(
      Date.parse(open.status?.rollout?.startedAt ?? '') + 2_000,
    );
  });

  test('that fails is rolled back without a request, also by another controller', async () => {
    await standing({ healthAssessment: { deadline: '4s' }, failurePolicy: { rollback: 'OnReleaseFailure' } });
    await releases.until(stateIs('Succeeded'));
    await releases.inline(sourceOf(deploymentIn({ wave: 0 }, 'store', { fail: 'crash' })));
    await releases.ready('WaitingForSync');
    await sync('go');
    await restart();
    const back = await releases.until(stateIs('RolledBack'));
    expect(condition(back, 'Applied')).toMatchObject({ status: 'True', reason: 'RolledBack' });
    expect(await colorOf()).toBe('green');
    expect(await releases.find('deployments/store', '/apis/apps/v1')).toBeUndefined();
  });
});

describe('in manual mode drift', () => {
  test('is told and not put right until a request', async () => {
    await standing();
    const told = await drifted();
    expect(condition(told, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(readyMessage(told)).toMatch(
      /^Drifted: until a sync is asked for: ConfigMap web in \S+ \(changed by somebody\)\n1 object in 1 wave applied$/,
    );
    await releases.event('Warning', 'Drifted', 'ConfigMap web in');
    await expect.poll(metric).toBe('1');
    expect(await colorOf()).toBe('red');
    await sync('mend');
    const mended = await releases.until((release) => !isDrifted(release));
    expect(readyMessage(mended)).toBe('1 object in 1 wave applied');
    expect(await colorOf()).toBe('green');
    await expect.poll(metric).toBe('0');
  });

  test('goes when somebody takes it back', async () => {
    await standing();
    await drifted();
    await edit('green', 'another');
    await releases.until((release) => !isDrifted(release));
  });

  test('is told of an object that is gone, and of one that somebody makes again', async () => {
    await standing();
    const path = `/api/v1/namespaces/${releases.namespace}/configmaps`;
    await releases.cluster.api.must('DELETE', `${path}/web`);
    expect(readyMessage(await releases.until(isDrifted))).toContain('(it is not there)');
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('is told by a controller that has just begun, which applies nothing', async () => {
    await standing();
    const before = await releases.find('configmaps/web');
    await controller.stop();
    controller = await ControllerProcess.start(cluster.kubeconfigPath);
    await expect.poll(metric).toBe('0');
    expect(await releases.find('configmaps/web')).toEqual(before);
    await controller.stop();
    await edit('red');
    controller = await ControllerProcess.start(cluster.kubeconfigPath);
    await releases.until(isDrifted);
    expect(await colorOf()).toBe('red');
    await edit('green');
    await releases.until((release) => !isDrifted(release));
  });

  test('is told while a new render waits', async () => {
    await standing();
    await releases.inline(configMapYaml('web', { color: 'blue' }));
    await releases.ready('WaitingForSync');
    const told = await drifted();
    expect(condition(told, 'Applied')).toMatchObject({ status: 'False', reason: 'WaitingForSync' });
    await sync('go');
    await releases.ready('Applied');
    expect(await colorOf()).toBe('blue');
  });
});

describe('a Release that changes', () => {
  test('to Automatic applies what waits and puts drift right; to Manual it stops', async () => {
    await standing();
    await drifted();
    await releases.patch({ spec: { syncPolicy: { mode: 'Automatic' } } });
    await releases.until((release) => !isDrifted(release));
    expect(await colorOf()).toBe('green');
    await releases.patch({ spec: { syncPolicy: { mode: 'Manual' } } });
    await releases.until(({ metadata, status }) => status?.observedGeneration === metadata.generation);
    await drifted();
    expect(await colorOf()).toBe('red');
  });

  test('is deleted without a request', async () => {
    await standing();
    await releases.inline(configMapYaml('other'));
    await releases.ready('WaitingForSync');
    await releases.cluster.kubectl('delete', 'release', 'app', '-n', releases.namespace, '--timeout=20s');
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});
