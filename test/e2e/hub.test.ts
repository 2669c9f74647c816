import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { API_VERSION } from '../../api/group.ts';
import type { ReleaseStatus } from '../../api/release.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import type { ApiObject } from '../controlplane/apiAccess.ts';
import type { AuditEvent } from '../controlplane/audit.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { useReleases } from '../integration/controller/fixture.ts';
import { writesOfConvoy } from '../support/auditOrder.ts';
import { turnsOf, type WavedRelease, wavedReleases, writesByObject } from '../support/clusterWaves.ts';
import { releasesPath } from '../support/releases.ts';

const SHAPE = { waves: 4, perWave: 3 };
/** Until a pod is ready: longer than it takes to kill an API server that was seen to be asked for its Deployment. */
const DELAY = '1s';
/** What a busy machine may add to the time that all Releases of a cluster take (s). */
const LEEWAY_SECONDS = 15;
const LIMIT_MS = 120_000;
/** What Ready says of a Release that waits, is applied and becomes healthy. */
const NORMAL = ['WaitingForClusterWave', 'Progressing', 'Applied'];

const hub = useReleases(['--allow-loopback-clusters']);
let planes: ControlPlane[] = [];
beforeAll(async () => {
  planes = await Promise.all([startControlPlane({ audit: true }), startControlPlane({ audit: true })]);
});
afterAll(() => Promise.all(planes.map((plane) => plane.stop())));

/** One of the clusters that the hub applies to, and the Releases for it. */
interface Target {
  plane: ControlPlane;
  namespace: string;
  releases: WavedRelease[];
}

let mortal: Target;
let other: Target;
/** How long all Releases of the other cluster took when nothing happened (s). */
let undisturbedSeconds = NaN;

beforeEach(async () => {
  const [one, two] = planes;
  if (one === undefined || two === undefined) throw new Error('both clusters are there before the tests');
  [mortal, other] = await Promise.all([connect('mortal', one), connect('other', two)]);
});

/** So that nothing of one test is at work in the next. */
afterEach(async () => {
  const path = releasesPath(hub.namespace);
  await hub.cluster.api.must('DELETE', path);
  for (const { name } of [...mortal.releases, ...other.releases])
    await hub.cluster.api.waitForGone(path, name, LIMIT_MS);
});

async function connect(name: string, plane: ControlPlane): Promise<Target> {
  const { api } = hub.cluster;
  const value = Buffer.from(await readFile(plane.kubeconfigPath, 'utf8')).toString('base64');
  await api.must('POST', `/api/v1/namespaces/${hub.namespace}/secrets`, {
    metadata: { name },
    data: { value },
  });
  await api.must('POST', clustersPath(), {
    apiVersion: API_VERSION,
    kind: 'Cluster',
    metadata: { name },
    spec: { kubeconfig: { secretRef: { name } } },
  });
  await api.waitForNamed(clustersPath(), name, (object) => reasonOf(object) === 'Connected');
  const namespace = await createNamespace(plane.api);
  return {
    plane,
    namespace,
    releases: wavedReleases({ cluster: name, targetNamespace: namespace, ...SHAPE }, DELAY),
  };
}

function clustersPath(): string {
  return `/apis/${API_VERSION}/namespaces/${hub.namespace}/clusters`;
}

/** Creates the Releases of a cluster, and waits until all are healthy. @returns how long that took (s) */
async function rollOut({ releases }: Target): Promise<number> {
  const startedAt = performance.now();
  for (const { name, spec } of releases) await hub.create(spec, { name });
  for (const { name } of releases) await hub.ready('Applied', name, LIMIT_MS);
  return (performance.now() - startedAt) / 1_000;
}

/** Each wave began after the workloads of all waves before it were ready, by the audit log of the cluster itself. */
async function expectOrder({ plane, namespace, releases }: Target): Promise<void> {
  const turns = turnsOf(await plane.auditEvents(), namespace, releases);
  expect(turns).toHaveLength(SHAPE.waves - 1);
  expect(turns.filter(({ begun, ready }) => !(begun > ready))).toEqual([]);
  const gaps = turns.map(({ begun, ready }) => `${(begun - ready).toFixed(2)} s`);
  console.info(`${releases[0]?.name ?? ''}: from ready to the next wave ${gaps.join(', ')}`);
}

/** No object was written more than once, but for those of a wave in which the cluster died. */
async function expectOnce({ plane, namespace, releases }: Target, diedIn?: number): Promise<void> {
  const names = releases.filter(({ wave }) => wave !== diedIn).map(({ name }) => name);
  const writes = writesByObject(await plane.auditEvents(), namespace);
  for (const id of names.flatMap((name) => [`configmaps/${name}`, `deployments/${name}`]))
    expect(writes[id], id).toBe(1);
}

test(
  'Releases of two clusters are applied in the order of their waves on each',
  async () => {
    const [, seconds] = await Promise.all([rollOut(mortal), rollOut(other)]);
    undisturbedSeconds = seconds;
    for (const target of [mortal, other]) {
      await expectOrder(target);
      await expectOnce(target);
    }
  },
  LIMIT_MS,
);

test(
  'a cluster that dies in the middle goes on when it is back, and the other one never notices',
  async () => {
    const enough = new AbortController();
    const [clusters, releases] = [clustersPath(), releasesPath(hub.namespace)].map((path) =>
      readyReasons(path, enough.signal),
    );
    const applying = await mortal.plane.auditTail();
    const recovering = rollOut(mortal);
    const steady = rollOut(other);
    await applying.waitFor(1, (event) => isApplyOf(event, 'mortal-1-'), AbortSignal.timeout(LIMIT_MS));
    await mortal.plane.stopApiServer('SIGKILL');

    const seconds = await steady;
    console.info(
      `the other cluster took ${seconds.toFixed(1)} s, undisturbed ${undisturbedSeconds.toFixed(1)} s`,
    );
    expect(seconds).toBeLessThan(undisturbedSeconds + LEEWAY_SECONDS);
    await hub.cluster.api.waitForNamed(
      clustersPath(),
      'mortal',
      (object) => reasonOf(object) === 'Unreachable',
    );
    await mortal.plane.startApiServer();
    const mortalSeconds = await recovering;
    console.info(`the cluster that died took ${mortalSeconds.toFixed(1)} s`);
    enough.abort();

    await expectOrder(mortal);
    await expectOrder(other);
    await expectOnce(other);
    await expectOnce(mortal, 1);
    expect((await clusters)?.get('other')).toEqual(['Connected']);
    for (const { name } of other.releases)
      expect(NORMAL, name).toEqual(expect.arrayContaining((await releases)?.get(name) ?? ['nothing']));
    expect(await warningsOf('other-')).toEqual([]);
  },
  LIMIT_MS,
);

function isApplyOf(event: AuditEvent, prefix: string): boolean {
  return writesOfConvoy([event]).some(({ name }) => name.startsWith(prefix));
}

/** The reasons that Ready had one after another, by the name of the object, until the signal aborts. */
async function readyReasons(path: string, signal: AbortSignal): Promise<Map<string, string[]>> {
  const reasons = new Map<string, string[]>();
  await hub.cluster.api.follow(
    path,
    (object) => {
      const reason = reasonOf(object);
      const before = reasons.get(object.metadata.name) ?? [];
      if (reason !== undefined && before.at(-1) !== reason)
        reasons.set(object.metadata.name, [...before, reason]);
    },
    signal,
  );
  return reasons;
}

function reasonOf({ status }: ApiObject): string | undefined {
  return conditionOf((status as ReleaseStatus | undefined)?.conditions, 'Ready')?.reason;
}

/** Warning events and log lines about Releases whose names begin so. */
async function warningsOf(prefix: string): Promise<unknown[]> {
  const events = await hub.cluster.api.must(
    'GET',
    `/apis/events.k8s.io/v1/namespaces/${hub.namespace}/events`,
  );
  const warnings = (events['items'] as ApiObject[]).filter(
    ({ type, regarding }) => type === 'Warning' && (regarding as { name: string }).name.startsWith(prefix),
  );
  const lines = hub.controller.log.filter(
    ({ level, release }) => level !== 'info' && String(release).startsWith(`${hub.namespace}/${prefix}`),
  );
  return [...warnings, ...lines];
}
