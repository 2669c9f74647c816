import pMap from 'p-map';
import { setTimeout as elapse } from 'node:timers/promises';
import { API_VERSION, RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { secondsOf } from '../support/auditOrder.ts';
import type { ControllerProcess } from '../support/controllerProcess.ts';
import { configMapYaml } from '../support/releases.ts';

/** Much longer than any time that is measured. */
const INTERVAL = '24h';
const AT_ONCE = 16;

/** Creates Releases `app-FROM` to before `app-TO`, each of so many ConfigMaps, and waits until all up to TO are Ready. */
export async function createReleases(
  client: KubeClient,
  {
    namespaces,
    from,
    to,
    objects,
  }: { namespaces: readonly string[]; from: number; to: number; objects: number },
): Promise<void> {
  const done = whenReady(client, to);
  await pMap(
    Array.from({ length: to - from }, (_, index) => from + index),
    async (index) => {
      const namespace = namespaces[index % namespaces.length] ?? '';
      const source = Array.from({ length: objects }, (_, n) => configMapYaml(`app-${index}-${n}`));
      await client.create(RESOURCES.Release, {
        apiVersion: API_VERSION,
        kind: 'Release',
        metadata: { name: `app-${index}`, namespace },
        spec: { source: { inline: source.join('---\n') }, interval: INTERVAL, healthAssessment: {} },
      });
    },
    { concurrency: AT_ONCE },
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

/** Waits until nothing is due, and what the last reconcile writes is written. */
export async function untilIdle(controller: ControllerProcess): Promise<void> {
  const url = await controller.url;
  await until(async () => /^convoy_queue_depth 0$/m.test(await metricsOf(url)));
  await elapse(3_000);
}

export async function metricsOf(url: string): Promise<string> {
  return await (await fetch(`${url}/metrics`)).text();
}

/** What a page of the controller says can only be asked for. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const ends = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error('the controller did not come so far within ten minutes');
    await elapse(50);
  }
}

/** What the controller asked for between two times (seconds since 1970), watches and leases apart. */
export function requestsBetween(events: readonly AuditEvent[], from: number, to: number): AuditEvent[] {
  return events.filter((event) => {
    const at = secondsOf(event.requestReceivedTimestamp);
    return isRequest(event) && at > from && at < to;
  });
}

function isRequest({ stage, userAgent, verb, objectRef }: AuditEvent): boolean {
  const isConvoy = userAgent?.startsWith('convoy') === true;
  return isConvoy && stage === 'RequestReceived' && verb !== 'watch' && objectRef?.resource !== 'leases';
}
