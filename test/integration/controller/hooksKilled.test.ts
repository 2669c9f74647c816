import { expect, onTestFinished, test } from 'vitest';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, Releases } from './fixture.ts';
import { hook, hookNamed, hookYaml, jobNamed, jobs, told, untilHook, untilMade } from './hookObjects.ts';

const cluster = useCluster();
const releases = new Releases(cluster, useNamespace(cluster), () => {
  throw new Error('each test has controllers of its own');
});

/** A controller that ends with the test at the latest. */
async function start(): Promise<ControllerProcess> {
  const controller = await ControllerProcess.start(cluster.kubeconfigPath);
  onTestFinished(() => controller.kill());
  return controller;
}

test('a hook runs once, whenever its controller is killed', async () => {
  const first = await start();
  await releases.create({
    source: { inline: documents(configMapYaml('web'), hookYaml('second', 'preSync')) },
    lifecycleHooks: { preSync: [hook('first', { delay: '4s' })], postSync: [hook('third')] },
  });
  // The status names the Job before it is made.
  await untilHook(releases, 'first', 'Running');
  await first.kill();

  const second = await start();
  const made = await untilMade(releases, 'first');
  await second.kill();
  const { job = '', uid } = hookNamed(made, 'first');
  expect((await jobNamed(releases, job)).metadata['uid']).toBe(uid);

  const third = await start();
  await untilHook(releases, 'second', 'Running');
  await third.kill();

  await start();
  const done = await releases.ready('Applied', undefined, 60_000);
  expect(told(done)).toEqual([
    'preSync first Succeeded',
    'preSync second Succeeded',
    'postSync third Succeeded',
  ]);
  expect(hookNamed(done, 'first').uid).toBe(uid);
  const names = (await jobs(releases)).map(({ metadata }) => metadata.name).sort();
  expect(names).toEqual((done.status?.hooks ?? []).map(({ job: name }) => name).sort());
  expect(names).toHaveLength(3);
});

test('how a Job with a TTL of 0 ended is known to a controller that was away meanwhile', async () => {
  const first = await start();
  await releases.create({
    source: { inline: configMapYaml('web') },
    lifecycleHooks: { preSync: [hook('migrate', { delay: '2s' }, { spec: { ttlSecondsAfterFinished: 0 } })] },
  });
  const running = await untilMade(releases, 'migrate');
  await first.kill();
  const { job = '' } = hookNamed(running, 'migrate');
  await releases.cluster.api.waitForNamed(
    `/apis/batch/v1/namespaces/${releases.namespace}/jobs`,
    job,
    ({ status }) => JSON.stringify(status).includes('"type":"Complete"'),
  );
  await start();
  const done = await releases.ready('Applied', undefined, 60_000);
  expect(told(done)).toEqual(['preSync migrate Succeeded']);
  await releases.untilGone('job', job);
});
