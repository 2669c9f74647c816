import { API_VERSION, RESOURCES } from '../../api/group.ts';
import { SYNC_STRATEGY, SYNC_WAVE } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import { KubeClient } from '../../kube/client.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { sourceOf } from '../support/wavedObjects.ts';
import { onBenchCluster } from './benchCluster.ts';
import { bench, median, report, rounded, untilSteady } from './measure.ts';
import { gapsBetweenWaves } from './waveGaps.ts';

const WAVES = 20;
const PER_WAVE = 5;
/** BENCH_ROUNDS fixes their number: the short form that `make test` runs. */
const FIXED_ROUNDS = process.env['BENCH_ROUNDS'];
const ROUNDS = { min: Number(FIXED_ROUNDS ?? 7), max: Number(FIXED_ROUNDS ?? 15), steady: 0.03 };
const RATIO_BAR = 1.6;
const GAP_BAR_MS = 40;

interface Round {
  gated: number;
  flat: number;
}

/**
 * 20 gated waves of 5 ConfigMaps against the same 100 objects in one wave, from the request to the last object; and on
 * Deployments, whose pods take their time, how long the next wave takes to begin once the one before is ready.
 */
await bench(async () => {
  const rounds = await againstOneWave();
  const gaps = await gapsBetweenWaves(say);
  const ratio = median(rounds.map(({ gated, flat }) => gated / flat));
  const gapMs = median(gaps);
  report({
    name: 'waves',
    value: rounded(ratio),
    unit: 'x one wave',
    bar: RATIO_BAR,
    ok: ratio <= RATIO_BAR && gapMs < GAP_BAR_MS,
    details: {
      waves: WAVES,
      objectsPerWave: PER_WAVE,
      rounds: rounds.length,
      gatedMs: rounded(median(rounds.map(({ gated }) => gated)), 0),
      oneWaveMs: rounded(median(rounds.map(({ flat }) => flat)), 0),
      readyToNextWaveMs: {
        median: rounded(gapMs, 1),
        worst: rounded(Math.max(...gaps), 1),
        waves: gaps.length,
        bar: GAP_BAR_MS,
      },
    },
  });
});

async function againstOneWave(): Promise<Round[]> {
  return await onBenchCluster(say, async ({ plane, transport }) => {
    const client = new KubeClient(transport);
    const run = async (objects: readonly KubeObject[]): Promise<number> =>
      await releaseOf(client, await createNamespace(plane.api, 'bench'), objects);
    await run(configMaps(false));
    return await untilSteady(
      ROUNDS,
      async (round) => {
        // Neither is always the one that finds a warm server.
        const first = await run(configMaps(round % 2 === 0));
        const second = await run(configMaps(round % 2 !== 0));
        const [gated, flat] = round % 2 === 0 ? [first, second] : [second, first];
        say(`round ${round + 1}: ${WAVES} waves ${rounded(gated, 0)} ms, one wave ${rounded(flat, 0)} ms`);
        return { gated, flat };
      },
      ({ gated, flat }) => gated / flat,
    );
  });
}

/** From the request to the last object, in milliseconds. */
async function releaseOf(
  client: KubeClient,
  namespace: string,
  objects: readonly KubeObject[],
): Promise<number> {
  const stop = new AbortController();
  const watch = client.watch(CONFIG_MAPS, { namespace, labelSelector: 'bench=waves', signal: stop.signal });
  const all = (async () => {
    const seen = new Set<string>();
    for await (const { type, object } of watch) {
      if (type === 'ADDED') seen.add(object.metadata.name);
      if (seen.size === objects.length) return performance.now();
    }
    throw new Error(`the watch ended after ${seen.size} of ${objects.length} objects`);
  })();
  const started = performance.now();
  await client.create(RESOURCES.Release, {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name: 'bench', namespace },
    spec: { source: { inline: sourceOf(...objects) }, healthAssessment: {} },
  });
  const ended = await all;
  stop.abort();
  return ended - started;
}

function configMaps(isGated: boolean): KubeObject[] {
  return Array.from({ length: WAVES * PER_WAVE }, (_, index) => {
    const wave = isGated ? Math.floor(index / PER_WAVE) : 0;
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: `settings-${index}`,
        labels: { bench: 'waves' },
        annotations: { [SYNC_WAVE]: String(wave), [SYNC_STRATEGY]: 'waitForHealthy' },
      },
      data: { index: String(index), greeting: `hello number ${index}` },
    };
  });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
