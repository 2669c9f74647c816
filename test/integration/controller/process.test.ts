import { expect, onTestFinished, test } from 'vitest';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, createRelease, waitForReady } from '../../support/releases.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);

/** A process that is told to end does not wait for connections to time out (ms). */
const STOPS_WITHIN_MS = 3_000;

/** A controller that ends with the test at the latest. */
async function start(): Promise<ControllerProcess> {
  const controller = await ControllerProcess.start(cluster.kubeconfigPath);
  onTestFinished(() => controller.kill());
  return controller;
}

async function page(controller: ControllerProcess, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${await controller.url}${path}`);
  return { status: response.status, text: await response.text() };
}

test('the controller serves health and metrics, and ends with code 0 when it is told to', async () => {
  const controller = await start();
  const release = { namespace: namespace(), name: 'app' };
  await createRelease(cluster.api, { ...release, spec: { source: { inline: configMapYaml('web') } } });
  await waitForReady(cluster.api, release, 'Applied');

  expect(await page(controller, '/healthz')).toEqual({ status: 200, text: 'ok\n' });
  expect(await page(controller, '/readyz?verbose')).toEqual({ status: 200, text: 'ok\n' });
  expect((await page(controller, '/else')).status).toBe(404);
  const { status, text } = await page(controller, '/metrics');
  expect(status).toBe(200);
  expect(text).toMatch(/^convoy_reconciles_total\{result="done"\} [1-9]/m);
  expect(text).toMatch(/^convoy_applied_objects_total\{result="created"\} [1-9]/m);
  expect(text).toMatch(/^convoy_releases [1-9]/m);

  const since = performance.now();
  expect(await controller.stop()).toBe(0);
  const took = performance.now() - since;
  console.log(`the controller ends ${took.toFixed(0)} ms after SIGTERM`);
  expect(took).toBeLessThan(STOPS_WITHIN_MS);
  expect(controller.log.at(-1)?.msg).toBe('stopped');

  await cluster.kubectl('delete', 'release', 'app', '-n', namespace(), '--wait=false');
  const next = await start();
  await cluster.kubectl('wait', '--for=delete', 'release/app', '-n', namespace(), '--timeout=30s');
  expect(await next.stop()).toBe(0);
});

test('a controller that is ended in the middle of its work leaves nothing to clean up, and another goes on', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `web-${index}`);
  const spec = { source: { inline: names.map((name) => configMapYaml(name)).join('---\n') } };
  const release = { namespace: namespace(), name: 'app' };
  const controller = await start();
  await createRelease(cluster.api, { ...release, spec });
  await cluster.api.waitFor(`/api/v1/namespaces/${namespace()}/configmaps`, ({ metadata }) =>
    metadata.name.startsWith('web-'),
  );
  expect(await controller.stop()).toBe(0);

  const next = await start();
  const { status } = await waitForReady(cluster.api, release, 'Applied');
  expect(status?.inventory?.entries).toBe(300);
  expect(await next.stop()).toBe(0);
});

test.each([
  [['--concurrency', 'many'], '--concurrency many: it takes a whole number'],
  [['--listen', 'nowhere'], '--listen nowhere: it takes HOST:PORT'],
  [['--interval', '5m'], "Unknown option '--interval'"],
])('a command line that cannot be used (%s) ends with what it takes', async (flags, message) => {
  await expect(ControllerProcess.start(cluster.kubeconfigPath, flags)).rejects.toThrow(message);
});
