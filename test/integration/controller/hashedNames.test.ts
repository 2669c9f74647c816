import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { configMapIn, deploymentIn, type Fate, type Place, sourceOf } from '../../support/wavedObjects.ts';
import { condition, namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

const PRUNE = { prune: { orphaned: true } };
const GATED: Place = { wave: 2, strategy: 'waitForHealthy' };
const BOUNDED: Place = { wave: 2, strategy: 'waitForHealthyWithTimeout', timeout: '2s' };

/** A ConfigMap whose name is that of its content, as kustomize writes it, and a Deployment that reads it. */
function version(hash: string, fate: Fate = {}, after: Place = { wave: 2 }): string {
  const deployment = deploymentIn({ wave: 1 }, 'web', fate) as {
    spec: { template: { spec: { containers: object[] } } };
  };
  const { spec } = deployment.spec.template;
  const [main = {}] = spec.containers;
  spec.containers = [{ ...main, envFrom: [{ configMapRef: { name: `settings-${hash}` } }] }];
  return sourceOf(
    configMapIn({ wave: 0 }, `settings-${hash}`),
    deployment,
    configMapIn(after, `after-${hash}`),
  );
}

const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn).sort();
const isThere = async (name: string): Promise<boolean> =>
  (await releases.find(`configmaps/${name}`)) !== undefined;

/** How the Deployment is when a ConfigMap has gone. */
async function deploymentAtDeletionOf(name: string): Promise<ApiObject | undefined> {
  await releases.cluster.api.waitForGone(`/api/v1/namespaces/${releases.namespace}/configmaps`, name);
  return await releases.find('deployments/web', '/apis/apps/v1');
}

/** The ConfigMap that the pods of a Deployment read, as it was applied last. */
function readBy(deployment: ApiObject | undefined): string {
  return JSON.stringify(deployment?.['spec']).match(/settings-\w+/)?.[0] ?? '';
}

test('the old one goes when all of the new render is applied', async () => {
  await releases.create({ source: { inline: version('aaa') }, syncPolicy: PRUNE });
  await releases.ready('Applied');
  await releases.inline(version('bbb'));
  expect(readBy(await deploymentAtDeletionOf('settings-aaa'))).toBe('settings-bbb');
  await releases.ready('Applied');
  expect(await isThere('after-bbb')).toBe(true);
  expect(await listed()).toEqual(['after-bbb', 'settings-bbb', 'web']);
});

test('where a wave is gated, the old one goes only when the wave that reads the new one is healthy', async () => {
  await releases.create({
    source: { inline: version('aaa', {}, GATED) },
    healthAssessment: {},
    syncPolicy: PRUNE,
  });
  await releases.ready('Applied');
  await releases.inline(version('bbb', { delay: '3s' }, GATED));
  const held = await releases.ready('WaitingForWaveHealth');
  expect(condition(held, 'Applied')).toMatchObject({ status: 'False' });
  for (const name of ['settings-aaa', 'settings-bbb', 'after-aaa']) expect(await isThere(name)).toBe(true);
  expect(await listed()).toContain('settings-aaa');
  const deployment = await deploymentAtDeletionOf('settings-aaa');
  expect(deployment?.['status']).toMatchObject({ updatedReplicas: 1, readyReplicas: 1, replicas: 1 });
  await releases.ready('Applied');
  expect(await listed()).toEqual(['after-bbb', 'settings-bbb', 'web']);
});

test('where that wave never becomes healthy, the old one stays for the pods that read it', async () => {
  await releases.create({
    source: { inline: version('aaa', {}, BOUNDED) },
    healthAssessment: {},
    syncPolicy: PRUNE,
  });
  await releases.ready('Applied');
  await releases.inline(version('bbb', { fail: 'unready' }, BOUNDED));
  await releases.ready('WaveFailed');
  for (const name of ['settings-aaa', 'after-aaa']) expect(await isThere(name)).toBe(true);
  expect(await listed()).toEqual(['after-aaa', 'after-bbb', 'settings-aaa', 'settings-bbb', 'web']);
  // A mended version takes both away.
  await releases.inline(version('ccc', {}, BOUNDED));
  await releases.ready('Applied');
  expect(await listed()).toEqual(['after-ccc', 'settings-ccc', 'web']);
});

test('a version that is rolled back finds the old one as it was', async () => {
  await releases.create({
    source: { inline: version('aaa', {}, BOUNDED) },
    healthAssessment: { deadline: '1m' },
    failurePolicy: { rollback: 'OnWaveFailure' },
    syncPolicy: PRUNE,
  });
  await releases.until(({ status }) => status?.lastHealthy !== undefined);
  const old = await releases.find('configmaps/settings-aaa');
  await releases.inline(version('bbb', { fail: 'unready' }, BOUNDED));
  await releases.until(
    ({ status }) => status?.rollout?.state === 'RolledBack' && status.inventory?.entries === 3,
  );
  const now = await releases.find('configmaps/settings-aaa');
  expect(now?.metadata.uid).toBe(old?.metadata.uid);
  expect(readBy(await releases.find('deployments/web', '/apis/apps/v1'))).toBe('settings-aaa');
  expect(await listed()).toEqual(['after-aaa', 'settings-aaa', 'web']);
  expect(await isThere('settings-bbb')).toBe(false);
});
