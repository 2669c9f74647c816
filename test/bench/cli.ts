import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPlugin } from '../../plugin/build.ts';
import { type ControlPlane, startControlPlane } from '../controlplane/controlPlane.ts';
import { installCrds } from '../controlplane/crds.ts';
import { createNamespace } from '../controlplane/fixture.ts';
import { ControllerProcess } from '../support/controllerProcess.ts';
import { createRelease, waitForReady } from '../support/releases.ts';
import { configMapIn, sourceOf } from '../support/wavedObjects.ts';
import { bench, median, report, rounded, untilSteady } from './measure.ts';

const WAVES = 5;
const PER_WAVE = 8;
/** BENCH_ROUNDS fixes their number: the short form that `make test` runs. */
const FIXED_ROUNDS = process.env['BENCH_ROUNDS'];
const ROUNDS = { min: Number(FIXED_ROUNDS ?? 15), max: Number(FIXED_ROUNDS ?? 40), steady: 0.01 };
const RATIO_BAR = 2.5;

interface Round {
  convoy: number;
  kubectl: number;
}

/**
 * `kubectl-convoy waves status` of a Release of 5 waves against `kubectl get configmaps` of its 40 objects: each a whole
 * process, from its start to the end of its output, one after the other, in an order that changes from round to round.
 */
await bench(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-bench-'));
  const stop: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true })];
  try {
    const program = join(folder, 'kubectl-convoy');
    await buildPlugin(program);
    const plane = await startControlPlane({ kwok: false, say });
    stop.unshift(() => plane.stop());
    await installCrds(join(plane.binDir, 'kubectl'), plane.kubeconfigPath);
    const namespace = await applyRelease(plane);
    const commands: Commands = {
      convoy: [process.execPath, [program, 'waves', 'status', '-n', namespace]],
      kubectl: [join(plane.binDir, 'kubectl'), ['get', 'configmaps', '-n', namespace]],
    };
    await oneRound(plane, commands, -1);
    const rounds = await untilSteady(
      ROUNDS,
      (round) => oneRound(plane, commands, round),
      ({ convoy, kubectl }) => convoy / kubectl,
    );
    summarise(rounds);
  } finally {
    for (const end of stop) await end();
  }
});

function summarise(rounds: Round[]): void {
  const convoy = median(rounds.map((round) => round.convoy));
  const kubectl = median(rounds.map((round) => round.kubectl));
  // Of each round by itself: what the machine does meanwhile slows down both.
  const ratio = median(rounds.map((round) => round.convoy / round.kubectl));
  report({
    name: 'cli',
    value: rounded(ratio),
    unit: 'x kubectl',
    bar: RATIO_BAR,
    ok: ratio <= RATIO_BAR,
    details: {
      waves: WAVES,
      objects: WAVES * PER_WAVE,
      rounds: rounds.length,
      convoyMs: rounded(convoy, 0),
      kubectlMs: rounded(kubectl, 0),
    },
  });
}

/** Applied by a controller that has ended when the measuring begins. */
async function applyRelease(plane: ControlPlane): Promise<string> {
  const namespace = await createNamespace(plane.api, 'bench');
  const controller = await ControllerProcess.start(plane.kubeconfigPath, [], 'shipped');
  try {
    await createRelease(plane.api, {
      ...{ namespace, name: 'bench' },
      spec: { source: { inline: manifests() }, healthAssessment: {} },
    });
    await waitForReady(plane.api, { namespace, name: 'bench' }, 'Applied');
  } finally {
    await controller.stop();
  }
  return namespace;
}

function manifests(): string {
  const objects = Array.from({ length: WAVES * PER_WAVE }, (_, index) =>
    configMapIn({ wave: index % WAVES, strategy: 'waitForHealthy' }, `object-${index}`),
  );
  return sourceOf(...objects);
}

type Commands = Readonly<Record<keyof Round, readonly [program: string, args: readonly string[]]>>;

async function oneRound(plane: ControlPlane, commands: Commands, round: number): Promise<Round> {
  const result: Round = { convoy: 0, kubectl: 0 };
  const names = ['convoy', 'kubectl'] as const;
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    result[name] = await wholeProcess(plane, ...commands[name]);
  }
  say(
    `${round < 0 ? 'warm-up' : `round ${round + 1}`}: convoy ${rounded(result.convoy, 0)} ms, kubectl ${rounded(result.kubectl, 0)} ms`,
  );
  return result;
}

/** Milliseconds from the start of a process to its end. */
async function wholeProcess(plane: ControlPlane, program: string, args: readonly string[]): Promise<number> {
  const env = { ...process.env, KUBECONFIG: plane.kubeconfigPath };
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  child.stdout.on('data', (text: Buffer) => (lines += text.toString().split('\n').length - 1));
  const [code] = (await once(child, 'close')) as [number | null];
  const took = performance.now() - started;
  if (code !== 0 || lines < WAVES)
    throw new Error(`${program} ended with ${code ?? 'a signal'} after ${lines} lines`);
  return took;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
