import { expect, test } from 'vitest';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, namesIn, useReleases } from './fixture.ts';
import { hook, hookNamed, hookYaml, jobs, told, untilHook } from './hookObjects.ts';

const releases = useReleases();

interface Container {
  env?: { name: string; value: string }[];
}

test('preSync hooks run one after another before anything is applied, postSync hooks after all of it', async () => {
  await releases.create({
    source: {
      inline: documents(
        configMapYaml('web'),
        hookYaml('second', 'preSync', { wave: 5 }),
        hookYaml('first', 'preSync', { wave: -1, delay: '1s' }),
      ),
    },
    lifecycleHooks: { postSync: [hook('tell')], syncFailed: [hook('alarm')] },
  });
  const held = await releases.ready('WaitingForHook');
  expect(readyMessage(held)).toMatch(/^preSync hook first runs \(batch\/Job app-first-[0-9a-f]{10} in \S+\)/);
  expect(condition(held, 'Applied')).toMatchObject({ status: 'False', reason: 'WaitingForHook' });
  expect(told(held)).toEqual([
    'preSync first Running',
    'preSync second Pending',
    'postSync tell Pending',
    'syncFailed alarm Pending',
  ]);
  expect(await releases.find('configmaps/web')).toBeUndefined();

  const done = await releases.ready('Applied');
  expect(told(done)).toEqual([
    'preSync first Succeeded',
    'preSync second Succeeded',
    'postSync tell Succeeded',
    'syncFailed alarm Skipped',
  ]);
  const [first, second, tell] = done.status?.hooks ?? [];
  const web = await releases.find('configmaps/web');
  expect(Date.parse(second?.startedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first?.completedAt ?? ''));
  expect(Date.parse(String(web?.metadata['creationTimestamp']))).toBeGreaterThanOrEqual(
    Math.floor(Date.parse(second?.completedAt ?? '') / 1000) * 1000,
  );
  expect(tell?.completedAt).toBeDefined();
  expect(done.status?.inventory?.entries).toBe(1);
  expect((await releases.inventory()).flatMap(namesIn)).toEqual(['web']);
});

test('a hook is told what it runs for, and its Job names its Release', async () => {
  const spec = {
    template: {
      metadata: {},
      spec: {
        restartPolicy: 'Never',
        containers: [
          {
            name: 'work',
            image: 'a',
            env: [
              { name: 'OWN', value: '$(CONVOY_PHASE)' },
              { name: 'CONVOY_PHASE', value: 'mine' },
            ],
          },
        ],
      },
    },
  };
  const created = await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate', {}, { spec })] },
  });
  const done = await releases.ready('Applied');
  const [job] = await jobs(releases);
  const { template } = job?.['spec'] as { template: { spec: { containers: readonly Container[] } } };
  const [container] = template.spec.containers;
  expect(container?.env).toEqual([
    { name: 'CONVOY_RELEASE', value: 'app' },
    { name: 'CONVOY_NAMESPACE', value: releases.namespace },
    { name: 'CONVOY_RENDER', value: done.status?.lastSuccessful?.renderRef },
    { name: 'CONVOY_REVISION', value: done.status?.lastSuccessful?.revision },
    { name: 'CONVOY_PHASE', value: 'preSync' },
    { name: 'CONVOY_REASON', value: 'NewRender' },
    { name: 'OWN', value: '$(CONVOY_PHASE)' },
  ]);
  expect(job?.metadata.labels).toMatchObject({
    'convoy.kumodo.io/release': 'app',
    'convoy.kumodo.io/hook': 'preSync',
  });
  expect(job?.metadata).toMatchObject({ ownerReferences: [{ kind: 'Release', uid: created.metadata.uid }] });
  expect(job?.metadata.finalizers ?? []).toEqual([]);
});

test('hooks run once for a render, again for a sync request and for a new render, and not for drift', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate')], postSync: [hook('tell')] },
  });
  await releases.ready('Applied');
  const names = async () => (await jobs(releases)).map(({ metadata }) => metadata.name).sort();
  const first = await names();
  expect(first).toHaveLength(2);

  await releases.patchConfigMap('web', { data: { key: 'edited' } });
  await releases.cluster.api.waitForNamed(
    `/api/v1/namespaces/${releases.namespace}/configmaps`,
    'web',
    (object) => (object['data'] as { key: string }).key === 'value',
  );
  expect(await names()).toEqual(first);

  await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/sync': '{"id":"one"}' } } });
  await releases.until(
    ({ status }) =>
      status?.hookSync?.request === 'one' && status.hookSync.passed?.includes('postSync') === true,
  );
  const second = await names();
  expect(second).toHaveLength(2);
  expect(second.filter((name) => first.includes(name))).toEqual([]);

  await releases.inline(configMapYaml('web', { key: 'new' }));
  const done = await releases.ready('Applied');
  expect(told(done)).toEqual(['preSync migrate Succeeded', 'postSync tell Succeeded']);
  const third = await names();
  expect(third).toHaveLength(2);
  expect(third.filter((name) => second.includes(name))).toEqual([]);
});

test('a preSync hook that fails stops the sync before anything is applied, and starts the syncFailed hooks', async () => {
  await releases.create({
    source: { inline: documents(configMapYaml('web'), hookYaml('migrate', 'preSync', { fail: 'exit' })) },
    lifecycleHooks: { preSync: [], postSync: [hook('tell')], syncFailed: [hook('alarm')] },
  });
  await untilHook(releases, 'alarm', 'Succeeded');
  const failed = await releases.ready('HookFailed');
  expect(told(failed)).toEqual([
    'preSync migrate Failed',
    'postSync tell Skipped',
    'syncFailed alarm Succeeded',
  ]);
  expect(readyMessage(failed)).toMatch(
    /^preSync hook migrate failed \(batch\/Job \S+ in \S+\): BackoffLimitExceeded: .*; nothing was applied – mend it/,
  );
  expect(hookNamed(failed, 'tell').message).toBe('preSync hook migrate failed');
  expect(failed.status?.lastAttempted?.failure?.stage).toBe('PreSync');
  expect(await releases.find('configmaps/web')).toBeUndefined();
  const alarm = (await jobs(releases)).find(({ metadata }) => metadata.name.startsWith('app-alarm-'));
  expect(JSON.stringify(alarm)).toContain('{"name":"CONVOY_REASON","value":"HookFailed"}');
  expect(await releases.event('Warning', 'HookFailed', 'preSync hook migrate failed')).toBeDefined();

  await releases.inline(configMapYaml('web'));
  expect(told(await releases.ready('Applied'))).toEqual([
    'postSync tell Succeeded',
    'syncFailed alarm Skipped',
  ]);
});

test('a hook that may fail is recorded as failed, and the sync goes on', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('warm', { fail: 'exit' }, { onFailure: 'Continue' }), hook('migrate')] },
  });
  const done = await releases.ready('Applied');
  expect(told(done)).toEqual(['preSync warm Failed', 'preSync migrate Succeeded']);
  expect(hookNamed(done, 'warm').message).toContain('BackoffLimitExceeded');
});

test('a postSync hook that fails leaves what is applied, and says so', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { postSync: [hook('smoke', { fail: 'exit' })], syncFailed: [hook('alarm')] },
  });
  await untilHook(releases, 'alarm', 'Succeeded');
  const failed = await releases.ready('HookFailed');
  expect(failed.status?.lastAttempted?.failure?.stage).toBe('PostSync');
  expect(await releases.find('configmaps/web')).toBeDefined();
  expect(failed.status?.lastSuccessful?.renderRef).toBe(failed.status?.lastAttempted?.renderRef);
});

test('a hook that does not end within its timeout has failed, and its pods end', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate', { delay: '10m' }, { timeout: '2s' })] },
  });
  const failed = await releases.ready('HookFailed');
  expect(hookNamed(failed, 'migrate').message).toBe('it did not end within its timeout of 2s');
  const { job = '' } = hookNamed(failed, 'migrate');
  await releases.cluster.api.waitForNamed(
    `/apis/batch/v1/namespaces/${releases.namespace}/jobs`,
    job,
    ({ status }) => JSON.stringify(status).includes('DeadlineExceeded'),
  );
});

test('a Job that the API server refuses fails its hook with what it says', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [{ name: 'migrate', job: { template: { spec: { containers: [] } } } }] },
  });
  const failed = await releases.ready('HookFailed');
  expect(hookNamed(failed, 'migrate')).toMatchObject({ state: 'Failed' });
  expect(readyMessage(failed)).toContain('spec.template.spec.containers: Required value');
});

test('a claim that is marked as a hook is refused, and nothing is applied (edge case 27)', async () => {
  const claim = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, annotations: {convoy.kumodo.io/hook: preSync}}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`;
  await releases.create({ source: { inline: documents(configMapYaml('web'), claim) } });
  const refused = await releases.ready('RenderFailed');
  expect(readyMessage(refused)).toContain(
    `PersistentVolumeClaim data in ${releases.namespace}: annotation convoy.kumodo.io/hook: preSync: only a Job`,
  );
  expect(await releases.find('configmaps/web')).toBeUndefined();
});
