import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API_VERSION } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { KubeClient } from '../../kube/client.ts';
import type { Transport } from '../../kube/transport.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import { RESOURCES } from '../../api/group.ts';
import type { ControlPlane } from '../controlplane/controlPlane.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { onBenchCluster } from './benchCluster.ts';
import { type CrdLatency, crdToFirstInstance } from './crdLatency.ts';
import { bench, median, report, rounded, untilSteady } from './measure.ts';

const OBJECTS = Number(process.env['BENCH_OBJECTS'] ?? 500);
/** BENCH_ROUNDS fixes their number: the short form that `make test` runs. */
const FIXED_ROUNDS = process.env['BENCH_ROUNDS'];
const ROUNDS = { min: Number(FIXED_ROUNDS ?? 5), max: Number(FIXED_ROUNDS ?? 12), steady: 0.03 };
const RATIO_BAR = 2.6;
const LATENCY_BAR_SECONDS = 0.5;

interface Round {
  floor: number;
  convoy: number;
  kubectl: number;
}

/**
 * 500 ConfigMaps as one Release, first apply with its dry run, from the request to the last object, against a bare
 * loop of as many concurrent server-side applies and `kubectl apply --server-side` of the same file.
 */
await bench(async () => {
  await onBenchCluster(say, async ({ plane, transport }) => {
    await oneRound(plane, transport, -1);
    const rounds = await untilSteady(
      ROUNDS,
      (round) => oneRound(plane, transport, round),
      ({ convoy, floor }) => convoy / floor,
    );
    const latency = await crdToFirstInstance(say);
    summarise(rounds, latency);
  });
});

function summarise(rounds: Round[], latency: CrdLatency | undefined): void {
  const ratio = median(rounds.map(({ convoy, floor }) => convoy / floor));
  const [floor, convoy, kubectl] = [
    median(rounds.map((r) => r.floor)),
    median(rounds.map((r) => r.convoy)),
    median(rounds.map((r) => r.kubectl)),
  ];
  const latencyOk = latency !== undefined && latency.worst < LATENCY_BAR_SECONDS;
  report({
    name: 'apply',
    value: rounded(ratio),
    unit: 'x floor',
    bar: RATIO_BAR,
    ok: ratio <= RATIO_BAR && convoy < kubectl && latencyOk,
    details: {
      objects: OBJECTS,
      rounds: rounds.length,
      floorMs: rounded(floor, 0),
      convoyMs: rounded(convoy, 0),
      kubectlMs: rounded(kubectl, 0),
      fasterThanKubectl: convoy < kubectl,
      crdToFirstInstanceSeconds: latency ?? 'not measured: the manifests are not there',
      crdToFirstInstanceBar: LATENCY_BAR_SECONDS,
    },
  });
}

/** The order changes from round to round, so that none is always the one that finds a warm or a busy server. */
async function oneRound(plane: ControlPlane, transport: Transport, round: number): Promise<Round> {
  const result: Round = { floor: 0, convoy: 0, kubectl: 0 };
  const runs: [keyof Round, () => Promise<number>][] = [
    ['floor', () => bareLoop(plane, transport)],
    ['convoy', () => oneRelease(plane, transport)],
    ['kubectl', () => kubectlApply(plane)],
  ];
  for (let step = 0; step < runs.length; step++) {
    const [name, run] = runs[(step + Math.max(0, round)) % runs.length] ?? runs[0] ?? [];
    if (name !== undefined && run !== undefined) result[name] = await run();
  }
  say(
    `${round < 0 ? 'warm-up' : `round ${round + 1}`}: floor ${rounded(result.floor, 0)} ms, convoy ${rounded(result.convoy, 0)} ms, kubectl ${rounded(result.kubectl, 0)} ms`,
  );
  return result;
}

async function bareLoop(plane: ControlPlane, transport: Transport): Promise<number> {
  const client = new KubeClient(transport);
  const namespace = await createNamespace(plane.api, 'bench');
  const objects = configMaps(namespace);
  const started = performance.now();
  await Promise.all(
    objects.map((object) => client.apply(CONFIG_MAPS, object, { fieldManager: 'bench', force: true })),
  );
  return performance.now() - started;
}

async function oneRelease(plane: ControlPlane, transport: Transport): Promise<number> {
  const client = new KubeClient(transport);
  const namespace = await createNamespace(plane.api, 'bench');
  const inline = configMaps(namespace)
    .map((object) => yamlOf(object))
    .join('---\n');
  const seen = new Set<string>();
  const stop = new AbortController();
  const watch = client.watch(CONFIG_MAPS, { namespace, labelSelector: 'bench=apply', signal: stop.signal });
  const all = (async () => {
    for await (const { type, object } of watch) {
      if (type === 'ADDED') seen.add(object.metadata.name);
      if (seen.size === OBJECTS) return performance.now();
    }
    throw new Error(`the watch ended after ${seen.size} of ${OBJECTS} objects`);
  })();
  const release = {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name: 'bench', namespace },
    spec: { source: { inline } },
  };
  const started = performance.now();
  await client.create(RESOURCES.Release, release);
  const ended = await all;
  stop.abort();
  return ended - started;
}

async function kubectlApply(plane: ControlPlane): Promise<number> {
  const namespace = await createNamespace(plane.api, 'bench');
  const file = join(plane.dir, `${namespace}.yaml`);
  await writeFile(
    file,
    configMaps(namespace)
      .map((object) => yamlOf(object))
      .join('---\n'),
  );
  const args = ['--kubeconfig', plane.kubeconfigPath, 'apply', '--server-side', '-f', file];
  const started = performance.now();
  await promisify(execFile)(join(plane.binDir, 'kubectl'), args, { maxBuffer: 64 * 1024 * 1024 });
  return performance.now() - started;
}

function configMaps(namespace: string): KubeObject[] {
  return Array.from({ length: OBJECTS }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `settings-${index}`, namespace, labels: { bench: 'apply' } },
    data: { index: String(index), greeting: `hello number ${index}` },
  }));
}

function yamlOf({ metadata, ...rest }: KubeObject): string {
  const data = Object.entries(rest['data'] as Record<string, string>).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(value)}`,
  );
  const { name, namespace = '' } = metadata;
  return [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    `  name: ${name}`,
    `  namespace: ${namespace}`,
    '  labels:',
    '    bench: apply',
    'data:',
    ...data,
    '',
  ].join('\n');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
