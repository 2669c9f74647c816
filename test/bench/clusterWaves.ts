import pMap from 'p-map';
import { API_VERSION, RESOURCES } from '../../api/group.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { secondsOf } from '../support/auditOrder.ts';
import { configMapYaml } from '../support/releases.ts';
import { type BenchCluster, onBenchCluster } from './benchCluster.ts';
import { untilIdle } from './manyReleases.ts';
import { bench, median, percentile, report, rounded } from './measure.ts';

/** BENCH_RELEASES makes it short: the form that `make test` runs. */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 200);
const BAR_MS = 1_000;
const AT_ONCE = 16;
const FIRST = 'first';
const SWITCH = 'switch';

/** Releases that wait for one of a lower wave: how long from its being healthy until each of them is being applied. */
await bench(async () => {
  await onBenchCluster(say, measure, { audit: true });
});

async function measure({ plane, transport, controller }: BenchCluster): Promise<void> {
  const client = new KubeClient(transport);
  const namespace = await createNamespace(plane.api, 'waves');
  const create = async (name: string, spec: ReleaseSpec): Promise<void> => {
    const release = { apiVersion: API_VERSION, kind: 'Release', metadata: { name, namespace }, spec };
    await client.create(RESOURCES.Release, release);
  };
  await create(FIRST, firstSpec());
  const names = Array.from({ length: RELEASES }, (_, index) => `waiting-${index}`);
  const waiting = whenAll(client, new Set(names), 'WaitingForClusterWave');
  await pMap(names, (name) => create(name, waitingSpec(name)), { concurrency: AT_ONCE });
  await waiting;
  await untilIdle(controller);
  say(`${RELEASES} Releases wait`);
  const done = whenAll(client, new Set([FIRST, ...names]), 'Applied');
  await plane.api.must('PATCH', `/api/v1/namespaces/${namespace}/configmaps/${SWITCH}`, {
    data: { healthy: 'yes' },
  });
  await done;
  const times = timesOf(await plane.auditEvents(), names);
  const worstMs = Math.max(...times.begun);
  report({
    name: 'cluster-waves',
    value: rounded(worstMs, 0),
    unit: 'ms',
    bar: BAR_MS,
    ok: worstMs < BAR_MS,
    details: {
      releases: RELEASES,
      toldMs: rounded(times.toldMs, 0),
      begunMs: { median: rounded(median(times.begun), 0), p95: rounded(percentile(times.begun, 95), 0) },
      appliedMs: {
        median: rounded(median(times.applied), 0),
        p95: rounded(percentile(times.applied, 95), 0),
        worst: rounded(Math.max(...times.applied), 0),
      },
    },
  });
}

/** Healthy as soon as somebody says so in an object that Convoy creates and leaves alone. */
function firstSpec(): ReleaseSpec {
  const inline = configMapYaml(`${SWITCH}, annotations: {convoy.kumodo.io/update-policy: Once}`, {
    healthy: 'no',
  });
  const rule = {
    target: { group: '', kind: 'ConfigMap' },
    healthy: "data.healthy == 'yes'",
    progressing: "data.healthy != 'yes'",
  };
  return { source: { inline }, healthAssessment: { rules: [rule] } };
}

function waitingSpec(name: string): ReleaseSpec {
  return {
    source: { inline: configMapYaml(name) },
    healthAssessment: {},
    syncPolicy: { waveStrategy: { wave: 1, strategy: 'waitForHealthy' } },
  };
}

/** Resolves when all of them have the reason at the same time. */
async function whenAll(client: KubeClient, names: ReadonlySet<string>, reason: string): Promise<void> {
  const stop = new AbortController();
  const all = Promise.withResolvers<undefined>();
  const found = new Set<string>();
  const releases = new Reflector<Release>(listWatchOf<Release>(client, RESOURCES.Release), {
    onFault: ({ error }) => all.reject(error),
  });
  const seen = ({ metadata: { name }, status }: Release): void => {
    if (names.has(name) && conditionOf(status?.conditions, 'Ready')?.reason === reason) found.add(name);
    else found.delete(name);
    if (found.size === names.size) all.resolve(undefined);
  };
  releases.addHandler({ onAdd: seen, onUpdate: seen });
  const running = releases.run(stop.signal);
  await all.promise;
  stop.abort();
  await running;
}

interface Times {
  /** From the object being healthy to the status of the first Release that says so. */
  toldMs: number;
  /** For each Release that waited, from the object being healthy to the first request for its objects. */
  begun: number[];
  /** The same to the first apply. */
  applied: number[];
}

function timesOf(events: readonly AuditEvent[], names: readonly string[]): Times {
  const received = events.filter(({ stage }) => stage === 'RequestReceived');
  const at = ({ requestReceivedTimestamp }: AuditEvent): number => secondsOf(requestReceivedTimestamp) * 1000;
  const patches = (resource: string, name: string): AuditEvent[] =>
    received.filter(
      ({ verb, objectRef }) =>
        verb === 'patch' && objectRef?.resource === resource && objectRef.name === name,
    );
  const healthyAt = Math.max(...patches('configmaps', SWITCH).map(at));
  const told = patches('releases', FIRST)
    .map(at)
    .filter((time) => time > healthyAt);
  const first = (requests: readonly AuditEvent[]): number => Math.min(...requests.map(at)) - healthyAt;
  const ofName = Map.groupBy(
    received.filter(({ verb, objectRef }) => verb === 'patch' && objectRef?.resource === 'configmaps'),
    ({ objectRef }) => objectRef?.name ?? '',
  );
  const requestsFor = (name: string): AuditEvent[] => ofName.get(name) ?? [];
  return {
    toldMs: Math.min(...told) - healthyAt,
    begun: names.map((name) => first(requestsFor(name))),
    applied: names.map((name) =>
      first(requestsFor(name).filter(({ requestURI }) => !requestURI.includes('dryRun=All'))),
    ),
  };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
