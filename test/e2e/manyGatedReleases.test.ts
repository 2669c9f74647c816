import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Release } from '../../api/release.ts';
import { API_VERSION } from '../../api/group.ts';
import { conditionOf } from '../../controller/release/conditions.ts';
import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace, useControlPlane } from '../controlplane/fixture.ts';
import { writesOfConvoy } from '../support/auditOrder.ts';
import { useController } from '../support/controllerProcess.ts';
import { firstAvailable } from '../support/gateOrder.ts';
import { Mender } from '../support/mender.ts';
import { createRelease } from '../support/releases.ts';
import {
  manifestsOf,
  nameInWave,
  troubledReleases,
  type TroubledRelease,
} from '../support/troubledReleases.ts';

const SHAPE = { releases: 50, waves: 10 };
const NAMESPACES = 5;
const LIMIT_MS = 300_000;
/** The same number, the same troubles. */
const SEED = Number(process.env['CONVOY_TEST_SEED'] ?? Date.now() % 2 ** 31);

const plane = useControlPlane({ audit: true });
beforeAll(() => installCrds(join(plane().binDir, 'kubectl'), plane().kubeconfigPath));
const controller = useController(plane);

test(
  'many gated Releases at once, whose pods fail and are mended, end healthy, each wave after the one before',
  async () => {
    const { api } = plane();
    const namespaces = await Promise.all(
      Array.from({ length: NAMESPACES }, () => createNamespace(api, 'many')),
    );
    const releases = troubledReleases(SEED, { namespaces, ...SHAPE });
    const mender = new Mender(api, releases);
    const stop = new AbortController();
    const mending = mender.run(stop.signal);
    console.info(`CONVOY_TEST_SEED=${SEED}: ${mender.waiting.length} Deployments are to fail`);

    const startedAt = performance.now();
    await Promise.all(releases.map((release) => create(api, release)));
    await Promise.race([mending, inTime(mender.done, () => `not mended: ${mender.waiting.join(', ')}`)]);
    await allHealthy(api, releases);
    console.info(`all are healthy after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    stop.abort();
    await mending;

    await expectOrder(releases);
    expect(controller().log.filter(({ level }) => level === 'error')).toEqual([]);
  },
  LIMIT_MS + 60_000,
);

async function create(api: ApiAccess, release: TroubledRelease): Promise<void> {
  const { namespace, name } = release;
  const spec = { source: { inline: manifestsOf(release) }, healthAssessment: {} };
  await createRelease(api, { namespace, name, spec });
}

/** @throws Error with what was left, after the limit */
async function inTime(work: Promise<unknown>, left: () => string): Promise<void> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const passed = Promise.withResolvers<never>();
  limit.addEventListener('abort', () => passed.reject(new Error(`after ${LIMIT_MS} ms: ${left()}`)));
  await Promise.race([work, passed.promise]);
}

/** Waits until each Release says that all of its objects are applied and healthy, at the same time. */
async function allHealthy(api: ApiAccess, releases: readonly TroubledRelease[]): Promise<void> {
  const left = new Map(releases.map(({ namespace, name }) => [`${namespace}/${name}`, 'no status']));
  const see = (object: ApiObject): boolean => {
    const { metadata, status } = object as unknown as Release;
    const id = `${metadata.namespace ?? ''}/${metadata.name}`;
    const [ready, healthy] = (['Ready', 'Healthy'] as const).map((type) =>
      conditionOf(status?.conditions, type),
    );
    if (ready?.status === 'True' && healthy?.reason === 'AllHealthy') left.delete(id);
    else left.set(id, ready?.message ?? '');
    return left.size === 0;
  };
  const path = `/apis/${API_VERSION}/releases`;
  await inTime(api.waitFor(path, see, { timeoutMs: 2 * LIMIT_MS }), () => JSON.stringify([...left], null, 1));
}

/** From the audit log: nothing of a wave was written before the Deployment of the wave before was available. */
async function expectOrder(releases: readonly TroubledRelease[]): Promise<void> {
  const events = await plane().auditEvents();
  const available = firstAvailable(events);
  const begun = new Map<string, number>();
  for (const { at, resource, namespace, name } of writesOfConvoy(events)) {
    const id = `${namespace}/${name}`;
    if (['deployments', 'configmaps'].includes(resource) && !begun.has(id)) begun.set(id, at);
  }
  const gaps = releases.flatMap((release) =>
    Array.from({ length: SHAPE.waves - 1 }, (_, wave) => {
      const [before, after] = [wave, wave + 1].map((of) => `${release.namespace}/${nameInWave(release, of)}`);
      const gap = (begun.get(after ?? '') ?? NaN) - (available.get(before ?? '') ?? NaN);
      const isSteady = release.waves.slice(0, wave + 1).every(({ fail }) => fail !== 'crash-later');
      return { wave: after, gap, isSteady };
    }),
  );
  expect(gaps).toHaveLength(SHAPE.releases * (SHAPE.waves - 1));
  expect(gaps.filter(({ gap }) => !(gap > 0))).toEqual([]);
  // A wave that loses its health holds those after it, whatever was available once.
  const steady = gaps.filter(({ isSteady }) => isSteady);
  const sorted = steady.map(({ gap }) => gap).sort((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.ceil(part * sorted.length) - 1] ?? NaN).toFixed(3);
  console.info(`from available to the next wave: median ${at(0.5)} s, 95% ${at(0.95)} s, most ${at(1)} s`);
}
