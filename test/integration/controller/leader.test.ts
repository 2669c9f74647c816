import { expect, onTestFinished, test } from 'vitest';
import type { Lease } from '../../../kube/lease/record.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, createRelease, waitForReady } from '../../support/releases.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
/** Less than any wait of the election: nobody has waited for the Lease to run out (ms). */
const AT_ONCE_MS = 5_000;

const leasesPath = (): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace()}/leases`;

async function start(...flags: string[]): Promise<ControllerProcess> {
  const controller = await ControllerProcess.start(cluster.kubeconfigPath, [
    '--leader-elect',
    '--leader-elect-namespace',
    namespace(),
    ...flags,
  ]);
  onTestFinished(() => controller.kill());
  return controller;
}

async function lease(): Promise<Lease> {
  return (await cluster.api.must('GET', `${leasesPath()}/convoy-controller`)) as Lease;
}

/** As somebody else would take it, and hold it for ever. */
async function giveTo(holderIdentity: string): Promise<void> {
  const patch = JSON.stringify({ spec: { holderIdentity, leaseDurationSeconds: 3600 } });
  await cluster.kubectl(
    'patch',
    'lease',
    'convoy-controller',
    '-n',
    namespace(),
    '--type=merge',
    '-p',
    patch,
  );
}

async function readiness(controller: ControllerProcess): Promise<number> {
  return (await fetch(`${await controller.url}/readyz`)).status;
}

async function releaseIsApplied(name: string): Promise<void> {
  const release = { namespace: namespace(), name };
  await createRelease(cluster.api, {
    ...release,
    spec: { source: { inline: configMapYaml(`${name}-web`) } },
  });
  await waitForReady(cluster.api, release, 'Applied');
}

test('of two controllers one acts and both are ready; when it ends, the other one acts at once', async () => {
  const first = await start();
  await first.logged('this process leads');
  const second = await start();
  await second.logged('who leads has changed');
  await releaseIsApplied('before');
  expect(await readiness(first)).toBe(200);
  expect(await readiness(second)).toBe(200);
  const { spec: held } = await lease();
  expect(held).toMatchObject({ leaseDurationSeconds: 12, leaseTransitions: 0 });

  const since = performance.now();
  expect(await first.stop()).toBe(0);
  await second.logged('this process leads');
  expect(performance.now() - since).toBeLessThan(AT_ONCE_MS);
  await releaseIsApplied('after');
  const { spec } = await lease();
  expect(spec?.leaseTransitions).toBe(1);
  expect(spec?.holderIdentity).not.toBe(held?.holderIdentity);

  expect(await second.stop()).toBe(0);
  expect((await lease()).spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
});

test('a leader whose Lease another one has taken stops, and acts again when that one has let it go', async () => {
  const times = ['--leader-elect-lease-duration', '3s', '--leader-elect-renew-deadline', '2s'];
  const controller = await start(...times, '--leader-elect-retry-period', '200ms');
  await controller.logged('this process leads');
  await giveTo('somebody');
  await controller.logged('this process leads no longer');
  await controller.logged('who leads has changed', 2);

  await giveTo('');
  await controller.logged('this process leads', 3);
  await releaseIsApplied('again');

  await cluster.api.must('DELETE', `${leasesPath()}/convoy-controller`);
  const made = await cluster.api.waitForNamed(leasesPath(), 'convoy-controller', () => true);
  expect((made as Lease).spec?.holderIdentity).not.toBe('');
  await releaseIsApplied('deleted');
  expect(await controller.stop()).toBe(0);
});

test('the namespace of the Lease is made where it is missing', async () => {
  const missing = `${namespace()}-ops`;
  const controller = await start('--leader-elect-namespace', missing);
  await controller.logged('this process leads');
  expect(await controller.stop()).toBe(0);
  await cluster.api.must('DELETE', `/api/v1/namespaces/${missing}`);
});
