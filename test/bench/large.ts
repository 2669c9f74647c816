import { PREFIX } from '../../api/annotations.ts';
import { API_VERSION } from '../../api/group.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import type { ControlPlane } from '../controlplane/controlPlane.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import type { ControllerProcess } from '../support/controllerProcess.ts';
import { labelledObjects } from '../support/liveObjects.ts';
import { processUse } from '../support/processUse.ts';
import { createRelease, patchRelease, releasesPath, waitForReady } from '../support/releases.ts';
import { onBenchCluster } from './benchCluster.ts';
import { createSource, manyObjects } from './largeSource.ts';
import { bench, report, rounded } from './measure.ts';
import { RequestSizes } from './requestSizes.ts';
import { Responsiveness } from './responsiveness.ts';

const OBJECTS = Number(process.env['BENCH_OBJECTS'] ?? 5_000);
const KEPT = 10;
const NAME = 'large';
const TIMEOUT_MS = 600_000;
const MIB = 1024 * 1024;
const MEMORY_BAR_MIB = 300;
/** etcd takes no larger one as Kubernetes is installed; the API server itself takes 3 MiB. */
const REQUEST_BAR_BYTES = 1.5 * MIB;

interface Phase {
  seconds: number;
  /** So far. */
  peakMiB: number;
  longestBlockMs: number;
  slowestHealthzMs: number;
}

/**
 * A gated Release of 5,000 objects is applied, pruned to 10 and deleted: what the controller needs for it, and whether it
 * answers meanwhile.
 */
await bench(async () => {
  await onBenchCluster(say, async ({ plane, controller }) => {
    const namespace = await createNamespace(plane.api, 'bench');
    const all = await createSource(plane.api, namespace, 'all', manyObjects(OBJECTS));
    const few = await createSource(plane.api, namespace, 'few', manyObjects(KEPT));
    const sizes = await RequestSizes.start(plane.api);
    const release = { namespace, name: NAME };
    const phase = (name: string, run: () => Promise<unknown>): Promise<Phase> =>
      measured(controller, name, run);
    const apply = await phase('applied', async () => {
      await createRelease(plane.api, { ...release, spec: specOf(all) });
      await waitForReady(plane.api, release, 'Applied', TIMEOUT_MS);
    });
    const applied = await objectsOf(plane, release);
    const prune = await phase(`pruned to ${KEPT}`, async () => {
      await patchRelease(plane.api, release, { spec: specOf(few) });
      await waitForReady(plane.api, release, 'Applied', TIMEOUT_MS);
    });
    const kept = await objectsOf(plane, release);
    const remove = await phase('deleted', async () => {
      await plane.api.must('DELETE', `${releasesPath(namespace)}/${NAME}`);
      await plane.api.waitForGone(releasesPath(namespace), NAME, TIMEOUT_MS);
    });
    const left = await objectsOf(plane, release);
    const largestRequest = await sizes.largest();
    const { peakMiB } = remove;
    const isWhole =
      applied.live === OBJECTS && kept.live === KEPT && left.live + left.shards + left.renders === 0;
    report({
      name: 'large',
      value: peakMiB,
      unit: 'MiB',
      bar: MEMORY_BAR_MIB,
      ok: isWhole && peakMiB < MEMORY_BAR_MIB && largestRequest.atMostBytes < REQUEST_BAR_BYTES,
      details: { objects: { applied, kept, left }, largestRequest, apply, prune, delete: remove },
    });
  });
});

function specOf(source: string): ReleaseSpec {
  return {
    source: { configMap: { selector: { matchLabels: { source } } } },
    syncPolicy: { prune: { orphaned: true }, defaultStrategy: 'waitForHealthy' },
    healthAssessment: {},
  };
}

async function measured(
  controller: ControllerProcess,
  name: string,
  run: () => Promise<unknown>,
): Promise<Phase> {
  const responsiveness = await Responsiveness.start(await controller.url);
  const started = performance.now();
  await run();
  const seconds = rounded((performance.now() - started) / 1000, 1);
  const peakMiB = rounded((await processUse(controller.pid)).peakMiB, 0);
  const phase = { seconds, peakMiB, ...(await responsiveness.stop()) };
  say(
    `${name}: ${seconds} s, peak ${peakMiB} MiB, longest block ${phase.longestBlockMs} ms, slowest /healthz ${phase.slowestHealthzMs} ms`,
  );
  return phase;
}

/** What there is of a Release: its live objects, the shards of its inventory, and Secrets that hold its renders. */
async function objectsOf(
  { api }: ControlPlane,
  release: { namespace: string; name: string },
): Promise<{ live: number; shards: number; renders: number }> {
  const count = async (path: string): Promise<number> =>
    ((await api.must('GET', path))['items'] as unknown[]).length;
  return {
    live: (await labelledObjects(api, release)).size,
    shards: await count(`/apis/${API_VERSION}/namespaces/${release.namespace}/releaseinventories`),
    renders: await count(
      `/api/v1/namespaces/${release.namespace}/secrets?fieldSelector=type%3D${PREFIX}render`,
    ),
  };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
