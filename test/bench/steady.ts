import pMap from 'p-map';
import { setTimeout as elapse } from 'node:timers/promises';
import { RELEASE_LABEL } from '../../api/annotations.ts';
import { API_VERSION, RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { secondsOf } from '../support/auditOrder.ts';
import type { ControllerProcess } from '../support/controllerProcess.ts';
import { processUse } from '../support/processUse.ts';
import { configMapYaml } from '../support/releases.ts';
import { type BenchCluster, onBenchCluster } from './benchCluster.ts';
import { bench, report, rounded } from './measure.ts';

/** BENCH_RELEASES and BENCH_SECONDS make it short: the form that `make test` runs. */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 1_000);
const QUIET_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const FEW = Math.ceil(RELEASES / 10);
const OBJECTS = 10;
const NAMESPACES = 10;
/** Much longer than the time that is measured. */
const INTERVAL = '24h';
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
  await createReleases(client, namespaces, 0, FEW);
  const few = await quietTime(cluster, controller, Math.min(QUIET_SECONDS, 10));
  say(`${FEW} Releases: ${describe(few)}`);
  await createReleases(client, namespaces, FEW, RELEASES);
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

/** Creates those from one number to another, and waits until each is Ready. */
async function createReleases(
  client: KubeClient,
  namespaces: string[],
  from: number,
  to: number,
): Promise<void> {
  const done = whenReady(client, to);
  await pMap(
    Array.from({ length: to - from }, (_, index) => from + index),
    async (index) => {
      const namespace = namespaces[index % namespaces.length] ?? '';
      const source = Array.from({ length: OBJECTS }, (_unused, n) => configMapYaml(`app-${index}-${n}`));
      await client.create(RESOURCES.Release, {
        apiVersion: API_VERSION,
        kind: 'Release',
        metadata: { name: `app-${index}`, namespace },
        spec: { source: { inline: source.join('---\n') }, interval: INTERVAL, healthAssessment: {} },
      });
    },
    { concurrency: 16 },
  );
  await done;
}

/** Resolves when so many Releases are Ready. */
async function whenReady(client: KubeClient, count: number): Promise<void> {
  const stop = new AbortController();
  const all = Promise.withResolvers<undefined>();
  const ready = new Set<string>();
  const releases = new Reflector<Release>(listWatchOf<Release>(client, RESOURCES.Release), {
    onFault: ({ error }) => all.reject(error),
  });
  const seen = ({ metadata, status }: Release): void => {
    if (conditionOf(status?.conditions, 'Ready')?.status === 'True') ready.add(metadata.uid ?? '');
    if (ready.size === count) all.resolve(undefined);
  };
  releases.addHandler({ onAdd: seen, onUpdate: seen });
  const running = releases.run(stop.signal);
  await all.promise;
  stop.abort();
  await running;
}

/** What the controller does while nothing happens: the time itself is what is measured. */
async function quietTime(
  { plane }: BenchCluster,
  controller: ControllerProcess,
  seconds: number,
): Promise<Quiet> {
  const url = await controller.url;
  await until(async () => /^convoy_queue_depth 0$/m.test(await metricsOf(url)));
  // The last reconcile is at work still, and its events are written behind it.
  await elapse(3_000);
  const [from, before] = [Date.now() / 1000, await processUse(controller.pid)];
  await elapse(seconds * 1_000);
  const [to, after] = [Date.now() / 1000, await processUse(controller.pid)];
  const requests = (await plane.auditEvents()).filter(
    (event) =>
      isRequest(event) &&
      secondsOf(event.requestReceivedTimestamp) > from &&
      secondsOf(event.requestReceivedTimestamp) < to,
  );
  for (const { verb, requestURI } of requests.slice(0, 5)) say(`not quiet: ${verb} ${requestURI}`);
  return {
    requests: requests.length,
    cpuPercent: rounded((100 * (after.cpuSeconds - before.cpuSeconds)) / (to - from)),
    residentMiB: rounded(after.residentMiB, 0),
  };
}

/** Of the controller, watches and leases apart. */
function isRequest({ stage, userAgent, verb, objectRef }: AuditEvent): boolean {
  const isConvoy = userAgent?.startsWith('convoy') === true;
  return isConvoy && stage === 'RequestReceived' && verb !== 'watch' && objectRef?.resource !== 'leases';
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

async function metricsOf(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}

/** What a page of the controller says can only be asked for. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error('the controller did not come so far within ten minutes');
    await elapse(50);
  }
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
