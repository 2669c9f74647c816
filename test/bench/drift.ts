import { setTimeout as elapse } from 'node:timers/promises';
import { KubeClient } from '../../kube/client.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { type BenchCluster, onBenchCluster } from './benchCluster.ts';
import { LiveConfigMaps } from './liveConfigMaps.ts';
import { createReleases, requestsBetween, untilIdle } from './manyReleases.ts';
import { bench, median, percentile, report, rounded } from './measure.ts';

/** BENCH_RELEASES and BENCH_EDITS make it short: the form that `make test` runs. */
const RELEASES = Number(process.env['BENCH_RELEASES'] ?? 40);
const EDITS = Number(process.env['BENCH_EDITS'] ?? 200);
const OBJECTS = 50;
const SAME_OBJECT = Math.ceil(EDITS / 2);
/** Every so many-th edit is a deletion. */
const DELETED = 4;
const BARS = { medianMs: 50, p99Ms: 250, foreignRequests: 0 };

/** 2,000 objects that somebody else edits and deletes, one after another: how long until each is as it was applied. */
await bench(async () => {
  await onBenchCluster(say, measure, { audit: true });
});

async function measure({ plane, transport, controller }: BenchCluster): Promise<void> {
  const client = new KubeClient(transport);
  const namespace = await createNamespace(plane.api, 'drift');
  await createReleases(client, { namespaces: [namespace], from: 0, to: RELEASES, objects: OBJECTS });
  await untilIdle(controller);
  const live = await LiveConfigMaps.follow(client);
  const random: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    random.push(await live.spoil(live.any(), edit % DELETED === 0 ? 'delete' : 'edit'));
  }
  say(`${EDITS} objects edited or deleted: put right in ${rounded(median(random), 1)} ms, median`);
  const same: number[] = [];
  const one = live.any();
  for (let edit = 0; edit < SAME_OBJECT; edit += 1) same.push(await live.spoil(one, 'edit'));
  const tenth = Math.ceil(SAME_OBJECT / 10);
  const [first, last] = [median(same.slice(0, tenth)), median(same.slice(-tenth))];
  say(`the same object again and again: ${rounded(first, 1)} ms at first, ${rounded(last, 1)} ms at last`);
  await untilIdle(controller);
  const from = Date.now() / 1000;
  for (let edit = 0; edit < EDITS; edit += 1) await live.touch(live.any());
  // The time itself is measured: what they would cause would come within it.
  await elapse(2_000);
  const foreign = requestsBetween(await plane.auditEvents(), from, Date.now() / 1000);
  for (const { verb, requestURI } of foreign.slice(0, 5)) say(`not quiet: ${verb} ${requestURI}`);
  live.stop();
  const [medianMs, p99Ms] = [median(random), percentile(random, 99)];
  report({
    name: 'drift',
    value: rounded(medianMs, 1),
    unit: 'ms',
    bar: BARS.medianMs,
    ok: medianMs < BARS.medianMs && p99Ms < BARS.p99Ms && foreign.length === BARS.foreignRequests,
    details: {
      objects: RELEASES * OBJECTS,
      edits: EDITS,
      p99Ms: rounded(p99Ms, 1),
      worstMs: rounded(Math.max(...random), 1),
      sameObject: { edits: SAME_OBJECT, firstMs: rounded(first, 1), lastMs: rounded(last, 1) },
      foreignRequests: foreign.length,
      bars: BARS,
    },
  });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
