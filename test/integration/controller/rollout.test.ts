import { describe, expect, test } from 'vitest';
import type { FailurePolicy, Release, ReleaseSpec } from '../../../api/release.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, type Place, sourceOf } from '../../support/wavedObjects.ts';
import { condition, namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

const DEADLINE = '4s';
type Rollback = NonNullable<FailurePolicy['rollback']>;

/** Version 1 is well; a later one fails as it is told, and brings a ConfigMap of its own. */
const version = (number: number, fate: Fate = {}, gate: Place = { wave: 1 }): string =>
  sourceOf(
    configMapIn({ wave: 0 }, 'settings'),
    deploymentIn({ wave: 0 }, 'store', { ...fate, delay: '100ms' }),
    configMapIn(gate, 'front'),
    configMapIn({ wave: 0 }, `only-${number}`),
  );

const GATE: Place = { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '2s' };

function specOf(rollback: Rollback | undefined, changes: Partial<ReleaseSpec> = {}): ReleaseSpec {
  return {
    source: { inline: version(1, {}, GATE) },
    healthAssessment: { deadline: DEADLINE },
    ...(rollback === undefined ? {} : { failurePolicy: { rollback } }),
    ...changes,
  };
}

const rolloutIs =
  (state: string | undefined) =>
  ({ metadata, status }: Release): boolean =>
    status?.observedGeneration === metadata.generation && status?.rollout?.state === state;

/** Version 1 is healthy. @returns its digest */
async function healthy(spec: ReleaseSpec): Promise<string> {
  await releases.create(spec);
  const { status } = await releases.until(({ status: now }) => now?.lastHealthy !== undefined);
  return status?.lastHealthy?.renderRef ?? '';
}

async function deployed(): Promise<string> {
  const found = await releases.find('deployments/store', '/apis/apps/v1');
  const { template } = found?.['spec'] as {
    template: { metadata: { annotations?: Record<string, string> } };
  };
  return template.metadata.annotations?.['convoy.kumodo.io/test-fail'] ?? 'well';
}

/** Somebody deletes the renders of the namespace by force. */
async function loseRenders(): Promise<void> {
  const secrets = `/api/v1/namespaces/${releases.namespace}/secrets`;
  const list = await releases.cluster.api.must('GET', secrets);
  for (const { metadata } of list['items'] as ApiObject[]) {
    const path = `${secrets}/${metadata.name}`;
    await releases.cluster.api.must('DELETE', path);
    await releases.cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
  }
}

describe('a rollout', () => {
  test('opens with a render and succeeds when all objects are healthy', async () => {
    await releases.create(specOf('Never', { source: { inline: version(1, { fail: 'unready' }) } }));
    const open = await releases.until(rolloutIs('Progressing'));
    expect(condition(open, 'RolloutSucceeded')).toEqual({
      type: 'RolloutSucceeded',
      status: 'Unknown',
      reason: 'Progressing',
      message: 'waits for all objects to be healthy, within 4s',
    });
    await releases.inline(version(1));
    const done = await releases.until(rolloutIs('Succeeded'));
    expect(condition(done, 'RolloutSucceeded')).toMatchObject({ status: 'True', reason: 'Succeeded' });
    expect(done.status?.rollout?.renderRef).toBe(done.status?.lastHealthy?.renderRef);
    await releases.event('Normal', 'RolloutSucceeded', 'all objects became healthy');
  });

  test('goes with its policy, and the condition stays', async () => {
    await healthy(specOf('Never'));
    await releases.until(rolloutIs('Succeeded'));
    await releases.patch({ spec: { failurePolicy: null } });
    const without = await releases.until(rolloutIs(undefined));
    expect(condition(without, 'RolloutSucceeded')).toMatchObject({ status: 'True', reason: 'Succeeded' });
  });

  test('that failed succeeds when its objects become healthy later', async () => {
    await releases.create(specOf('Never', { source: { inline: version(1, { fail: 'unready' }) } }));
    const failed = await releases.until(rolloutIs('Failed'));
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(failed.status?.lastAttempted?.failure?.stage).toBe('Rollout');
    const pods = `/api/v1/namespaces/${releases.namespace}/pods`;
    const pod = await releases.cluster.api.waitFor(pods, () => true);
    const healed = { metadata: { annotations: { 'convoy.kumodo.io/test-fail': null } } };
    await releases.cluster.api.must('PATCH', `${pods}/${pod.metadata.name}`, healed);
    const done = await releases.until(rolloutIs('Succeeded'));
    expect(done.status?.lastAttempted?.failure).toBeUndefined();
  });

  test('of a first render has nothing to go back to, and says so', async () => {
    await releases.create(specOf('OnReleaseFailure', { source: { inline: version(1, { fail: 'crash' }) } }));
    const failed = await releases.until(rolloutIs('Failed'));
    expect(failed.status?.rollout?.message).toContain(
      'release did not become healthy within 4s; it is not rolled back: no render of this Release was healthy before',
    );
    expect(await deployed()).toBe('crash');
  });
});

describe('a deadline that passes', () => {
  test('under Never leaves the render where it is', async () => {
    const first = await healthy(specOf('Never'));
    await releases.inline(version(2, { fail: 'crash' }));
    const failed = await releases.until(rolloutIs('Failed'));
    expect(failed.status?.lastHealthy?.renderRef).toBe(first);
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(condition(failed, 'RolloutSucceeded')).toMatchObject({ status: 'False', reason: 'Failed' });
    expect(failed.status?.rollout?.message).toMatch(
      /^release did not become healthy within 4s; .*Never\napps\/Deployment store/,
    );
    expect(await deployed()).toBe('crash');
    await releases.event('Warning', 'RolloutFailed', 'did not become healthy within 4s');
  });

  test.each(['OnReleaseFailure', 'OnWaveFailure'] as const)('under %s goes back', async (rollback) => {
    const prune = { syncPolicy: { prune: { orphaned: true } } };
    const first = await healthy(specOf(rollback, prune));
    await releases.inline(version(2, { fail: 'crash' }));
    const back = await releases.until(rolloutIs('RolledBack'));
    expect(await deployed()).toBe('well');
    expect(await releases.find('configmaps/only-1')).toBeDefined();
    expect(await releases.find('configmaps/only-2')).toBeUndefined();
    expect(back.status).toMatchObject({
      lastSuccessful: { renderRef: first },
      lastHealthy: { renderRef: first },
      lastAttempted: { renderRef: back.status?.rollout?.renderRef, failure: { stage: 'Rollout' } },
    });
    expect(back.status?.waves).toBeUndefined();
    expect(back.status?.history?.map(({ number }) => number)).toEqual([2, 1]);
    const message = back.status?.rollout?.message ?? '';
    expect(message).toMatch(
      new RegExp(`^release did not become healthy within 4s; rolled back to ${first}\napps/Deployment store`),
    );
    expect(condition(back, 'Applied')).toEqual({
      type: 'Applied',
      status: 'True',
      reason: 'RolledBack',
      message,
    });
    expect((await releases.inventory()).flatMap(namesIn).sort()).toEqual([
      'front',
      'only-1',
      'settings',
      'store',
    ]);
    await releases.event('Warning', 'RolledBack', `rolled back to ${first}`);
    expect(readyMessage(await releases.ready('RolledBack'))).toBe(message);
  });

  test('goes back without prune, and forgets what only the failed render has', async () => {
    await healthy(specOf('OnReleaseFailure'));
    await releases.inline(version(2, { fail: 'crash' }));
    await releases.until(rolloutIs('RolledBack'));
    expect(await releases.find('configmaps/only-2')).toBeDefined();
    expect((await releases.inventory()).flatMap(namesIn)).not.toContain('only-2');
  });
});

describe('a wave that fails', () => {
  const failing = version(2, { fail: 'crash' }, GATE);
  const late = { healthAssessment: { deadline: '1m' } };

  test.each([
    [undefined, 'WaveFailed', undefined, 'crash'],
    ['Never', 'RolloutFailed', 'Failed', 'crash'],
    ['OnReleaseFailure', 'RolloutFailed', 'Failed', 'crash'],
    ['OnWaveFailure', 'RolledBack', 'RolledBack', 'well'],
  ] as const)('under %s: Applied %s, rollout %s', async (rollback, applied, state, fate) => {
    await healthy(specOf(rollback, late));
    await releases.inline(failing);
    const failed = await releases.until(
      (release) => condition(release, 'Applied')?.reason === applied && rolloutIs(state)(release),
    );
    const isBack = state === 'RolledBack';
    expect(condition(failed, 'Applied')?.status).toBe(isBack ? 'True' : 'False');
    expect(failed.status?.lastAttempted?.failure?.stage).toBe(isBack ? 'Rollout' : 'Wave');
    expect(failed.status?.rollout?.message ?? '').toContain(state === undefined ? '' : 'a wave failed; ');
    expect(await deployed()).toBe(fate);
  });

  test('under OnReleaseFailure is rolled back when the deadline passes', async () => {
    const first = await healthy(specOf('OnReleaseFailure'));
    await releases.inline(failing);
    await releases.until(rolloutIs('Failed'));
    const back = await releases.until(rolloutIs('RolledBack'));
    expect(back.status?.rollout?.message).toContain(`within 4s; rolled back to ${first}`);
    expect(await deployed()).toBe('well');
  });

  test('of a first render under OnWaveFailure counts as OnReleaseFailure', async () => {
    await releases.create(specOf('OnWaveFailure', { source: { inline: failing } }));
    const failed = await releases.until(rolloutIs('Failed'));
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'False', reason: 'RolloutFailed' });
    expect(failed.status?.rollout?.message).toMatch(
      /^a wave failed; it is not rolled back: no render of this Release was healthy before/,
    );
  });
});

describe('a Release that is rolled back', () => {
  async function rolledBack(spec: ReleaseSpec = specOf('OnReleaseFailure')): Promise<Release> {
    await healthy(spec);
    await releases.inline(version(2, { fail: 'crash' }));
    return await releases.until(rolloutIs('RolledBack'));
  }

  test('stays so, and corrects drift', async () => {
    const back = await rolledBack();
    await releases.patchConfigMap('settings', { data: { wave: 'other' } });
    const path = `/api/v1/namespaces/${releases.namespace}/configmaps`;
    await releases.cluster.api.waitForNamed(
      path,
      'settings',
      (object) => (object['data'] as Record<string, string>)['wave'] === '0',
    );
    expect((await releases.get()).status?.rollout).toEqual(back.status?.rollout);
    expect(await deployed()).toBe('well');
  });

  test('does not apply the failed render again, also by a request', async () => {
    const back = await rolledBack();
    await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/sync': '{"id": "again"}' } } });
    const asked = await releases.until(({ status }) => status?.sync?.recent?.[0]?.result !== undefined);
    expect(asked.status?.sync?.recent?.[0]?.result).toMatch(/^RolledBack: release did not become healthy/);
    expect(asked.status?.rollout).toEqual(back.status?.rollout);
    expect(await deployed()).toBe('well');
  });

  test('starts anew with a forced request', async () => {
    const back = await rolledBack();
    await releases.patch({
      metadata: { annotations: { 'convoy.kumodo.io/sync': '{"id": "again", "force": true}' } },
    });
    const anew = await releases.until(rolloutIs('Progressing'));
    expect(anew.status?.rollout?.renderRef).toBe(back.status?.rollout?.renderRef);
    expect(await deployed()).toBe('crash');
    const again = await releases.until(rolloutIs('RolledBack'));
    expect(again.status?.rollout?.startedAt).not.toBe(back.status?.rollout?.startedAt);
    expect(await deployed()).toBe('well');
  });

  test('starts anew with a new render', async () => {
    await rolledBack();
    await releases.inline(version(3));
    const done = await releases.until(rolloutIs('Succeeded'));
    expect(done.status?.lastHealthy?.renderRef).toBe(done.status?.lastAttempted?.renderRef);
    expect(done.status?.history?.map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(condition(done, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
  });

  test('of which the stored render is lost says both, keeps its state and applies nothing', async () => {
    const back = await rolledBack();
    await loseRenders();
    const other = await ControllerProcess.start(releases.cluster.kubeconfigPath);
    const failed = await releases.ready('ApplyFailed');
    await other.stop();
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
    expect(readyMessage(failed)).toMatch(
      /^rollback to sha256:\S+ failed: render \S+: the render store does not hold all of it [^\n]+\nrelease did not become healthy/,
    );
    expect(failed.status?.rollout).toEqual(back.status?.rollout);
    expect(await deployed()).toBe('well');
  });
});

test('a render that the store has lost is not gone back to, and that is said', async () => {
  await healthy(specOf('OnReleaseFailure', { healthAssessment: { deadline: '6s' } }));
  await loseRenders();
  await releases.inline(version(2, { fail: 'crash' }));
  const failed = await releases.until(rolloutIs('Failed'));
  expect(failed.status?.rollout?.message).toContain('it is not rolled back: render sha256:');
  expect(failed.status?.rollout?.message).toContain('the render store does not hold all of it');
  expect(await deployed()).toBe('crash');
});
