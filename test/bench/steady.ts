import pMap from 'p-map';
import { setTimeout as elapse } from 'node:timers/promises';
import { RELEASE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import { KubeClient } from '../../kube/client.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import type { ControllerProcess } from '../support/controllerProcess.ts';
import { processUse } from '../support/processUse.ts';
import { type BenchCluster, onBenchCluster } from './benchCluster.ts';
import { createReleases, metricsOf, requestsBetween, until, untilIdle } from './manyReleases.ts';
import { bench, report, rounded } from './measure.ts';

/** BENCH_RELEASES and BENCH_SECONDS make it short: the form that `make test` runs. */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 1_000);
const QUIET_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const FEW = Math.ceil(RELEASES / 10);
const OBJECTS = 10;
const NAMESPACES = 10;
const BARS = { requests: 0, cpuPercent: 3, residentMiB: 250, fewMiB: 120, readySeconds: 15, rewritten: 0 };

interface Quiet {
  requests: number;
  cpuPercent: number;
  residentMiB: number;
}

/** 1,000 Releases of 10 objects, and nothing happens: what that costs, and what a restart of the controller does. */
await bench(async () => {
  await onBenchCluster(say, measure, { audit: true });
});

async function measure(cluster: BenchCluster): Promise<void> {
  const { plane, transport, controller } = cluster;
  const client = new KubeClient(transport);
  const namespaces = await pMap(Array.from({ length: NAMESPACES }), () =>
    createNamespace(plane.api, 'steady'),
  );
  await createReleases(client, { namespaces, from: 0, to: FEW, objects: OBJECTS });
  const few = await quietTime(cluster, controller, Math.min(QUIET_SECONDS, 10));
  say(`${FEW} Releases: ${describe(few)}`);
  await createReleases(client, { namespaces, from: FEW, to: RELEASES, objects: OBJECTS });
  const all = await quietTime(cluster, controller, QUIET_SECONDS);
  say(`${RELEASES} Releases: ${describe(all)}`);
  const again = await restarted(cluster, client);
  say(`restarted: ready after ${again.readySeconds} s, ${again.rewritten} objects written again`);
  report({
    name: 'steady',
    value: all.requests,
    unit: 'requests',
    bar: BARS.requests,
    ok:
      all.requests <= BARS.requests &&
      all.cpuPercent < BARS.cpuPercent &&
      all.residentMiB < BARS.residentMiB &&
      few.residentMiB < BARS.fewMiB &&
      again.readySeconds < BARS.readySeconds &&
      again.rewritten === BARS.rewritten,
    details: {
      releases: RELEASES,
      objects: OBJECTS,
      seconds: QUIET_SECONDS,
      few: { releases: FEW, ...few },
      all,
      restart: again,
      bars: BARS,
    },
  });
}

function describe({ requests, cpuPercent, residentMiB }: Quiet): string {
  return `${requests} requests, ${cpuPercent} % of a core, ${residentMiB} MiB`;
}

/** What the controller does while nothing happens: the time itself is what is measured. */
async function quietTime(
  { plane }: BenchCluster,
  controller: ControllerProcess,
  seconds: number,
): Promise<Quiet> {
  await untilIdle(controller);
  const [from, before] = [Date.now() / 1000, await processUse(controller.pid)];
  await elapse(seconds * 1_000);
  const [to, after] = [Date.now() / 1000, await processUse(controller.pid)];
  const requests = requestsBetween(await plane.auditEvents(), from, to);
  for (const { verb, requestURI } of requests.slice(0, 5)) say(`not quiet: ${verb} ${requestURI}`);
  return {
    requests: requests.length,
    cpuPercent: rounded((100 * (after.cpuSeconds - before.cpuSeconds)) / (to - from)),
    residentMiB: rounded(after.residentMiB, 0),
  };
}

interface Restart {
  /** Until /readyz says so. */
  readySeconds: number;
  /** Until each Release was reconciled. */
  settledSeconds: number;
  /** Objects, Releases and inventories that are in another version than before. */
  rewritten: number;
  residentMiB: number;
}

async function restarted({ restart }: BenchCluster, client: KubeClient): Promise<Restart> {
  const before = await versions(client);
  const started = performance.now();
  const seconds = (): number => rounded((performance.now() - started) / 1000, 1);
  const controller = await restart();
  const url = await controller.url;
  await until(async () => (await fetch(`${url}/readyz`)).ok);
  const readySeconds = seconds();
  await until(async () => doneReconciles(await metricsOf(url)) >= RELEASES);
  const settledSeconds = seconds();
  const after = await versions(client);
  const changed = [...after].filter(([id, version]) => before.get(id) !== version);
  for (const [id] of changed.slice(0, 5)) say(`written again: ${id}`);
  const { residentMiB } = await processUse(controller.pid);
  return { readySeconds, settledSeconds, rewritten: changed.length, residentMiB: rounded(residentMiB, 0) };
}

function doneReconciles(metrics: string): number {
  return Number(/^convoy_reconciles_total\{result="done"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

/** resourceVersion by kind, namespace and name of all that Convoy writes. */
async function versions(client: KubeClient): Promise<Map<string, string>> {
  const kinds: readonly ApiResource[] = [RESOURCES.Release, RESOURCES.ReleaseInventory, CONFIG_MAPS];
  const lists = await pMap(kinds, async (kind) => {
    const scope = kind === CONFIG_MAPS ? { labelSelector: RELEASE_LABEL } : {};
    const { items } = await client.listAll(kind, scope);
    return items.map(
      ({ metadata }) =>
        [
          `${kind.kind} ${metadata.namespace ?? ''}/${metadata.name}`,
          metadata.resourceVersion ?? '',
        ] as const,
    );
  });
  const all = lists.flat();
  if (all.length < RELEASES * (OBJECTS + 2)) throw new Error(`only ${all.length} objects are there`);
  return new Map(all);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
