import pMap from 'p-map';
import { keyString, type ObjectKey } from '../../api/object.ts';
import type { Plan, PlannedObject, PlannedWave } from '../../engine/plan/plan.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { Halt } from '../release/halt.ts';
import { applyObject, type Sent } from './applyObject.ts';
import { Existence } from './existence.ts';
import { type Problem, problemLines, problemOf } from './problem.ts';

/** Applies in flight inside one stage (apply.md). */
export const CONCURRENCY = 32;
/** How long a missing Namespace, CRD or APIService is awaited in place before the Release holds (ms). */
const BRIEF_WAIT_MS = 5_000;

export interface ApplyRun {
  cluster: TargetCluster;
  plan: Plan;
  /** JSON text of each object, by keyString. */
  bodies: ReadonlyMap<string, string>;
  inventory: Inventory;
  signal: AbortSignal;
  onWaveStarted: (wave: PlannedWave) => void;
  /** All of the wave is applied. */
  onWaveCompleted: (wave: PlannedWave) => void;
  /** Called for each object that the API server took. */
  onApplied: (created: boolean) => void;
  /** Keeps waiting in the background for what a hold needs; the Release is reconciled when it is there. */
  wakeWhen: (ready: (signal: AbortSignal) => Promise<void>) => void;
}

/**
 * Applies all waves in ascending order, all of a wave before the next one, and in a wave stage by stage
 * (waves.md, axis A). Every step can run twice; the inventory learns each object's UID.
 * @throws Halt `ApplyFailed` or `AccessDenied` with every problem of the stage; `WaitingForStage` where objects wait
 *   for what they cannot exist without – then all else of that wave is applied
 */
export async function applyWaves(run: ApplyRun): Promise<void> {
  const existence = new Existence(run.cluster);
  for (const wave of run.plan.waves) {
    run.onWaveStarted(wave);
    await applyWave(run, wave, existence);
    run.onWaveCompleted(wave);
  }
}

async function applyWave(run: ApplyRun, wave: PlannedWave, existence: Existence): Promise<void> {
  const held: PlannedObject[] = [];
  for (const stage of wave.stages) {
    await waitBriefly(stage.objects, existence, run.signal);
    const [ready, waiting] = partition(stage.objects, (planned) =>
      planned.needs.every((key) => !existence.isPending(key)),
    );
    held.push(...waiting);
    await applyStage(run, ready, existence);
  }
  if (held.length > 0) hold(run, wave, held, existence);
}

/** Waits in place, on the watch, for what the stage's objects need. */
async function waitBriefly(
  objects: PlannedObject[],
  existence: Existence,
  signal: AbortSignal,
): Promise<void> {
  const pending = needed(objects).filter((key) => existence.isPending(key));
  if (pending.length === 0) return;
  await existence.usable(pending, AbortSignal.any([signal, AbortSignal.timeout(BRIEF_WAIT_MS)]));
}

async function applyStage(run: ApplyRun, objects: PlannedObject[], existence: Existence): Promise<void> {
  const results = await pMap(objects, (planned) => attempt(run, planned), { concurrency: CONCURRENCY });
  const problems: Problem[] = [];
  results.forEach((result, index) => {
    const planned = objects[index];
    if (planned === undefined) return;
    if (result instanceof Error) {
      problems.push(problemOf(planned.key, result));
      return;
    }
    run.inventory.applied(planned.key, result.object.metadata.uid ?? '');
    existence.observe(result.object);
    run.onApplied(result.created);
  });
  if (problems.length > 0) throw applyFailure(problems);
}

async function attempt(run: ApplyRun, planned: PlannedObject): Promise<Sent | Error> {
  const body = run.bodies.get(keyString(planned.key)) ?? '';
  try {
    const fresh = planned.stage === 'Instances';
    return await applyObject(run.cluster, { object: planned.object, body }, { fresh, signal: run.signal });
  } catch (error) {
    run.signal.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** All problems of a stage in one: retried where any of them can heal. */
export function applyFailure(problems: Problem[]): Halt {
  const retryAfterMs = Math.max(0, ...problems.map((problem) => problem.retryAfterMs ?? 0));
  return new Halt(problemLines(problems), {
    reason: problems.every((problem) => problem.forbidden) ? 'AccessDenied' : 'ApplyFailed',
    stage: 'Apply',
    resume: problems.some((problem) => problem.retryable) ? 'retry' : 'change',
    ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
    cause: new AggregateError(problems.map((problem) => problem.error)),
  });
}

function hold(run: ApplyRun, wave: PlannedWave, held: PlannedObject[], existence: Existence): never {
  const keys = needed(held).filter((key) => existence.isPending(key));
  run.wakeWhen((signal) => existence.usable(keys, signal));
  const reasons = existence.explain(keys).join('; ');
  throw new Halt(`wave ${wave.number}: ${held.length} objects wait: ${reasons}`, {
    reason: 'WaitingForStage',
    resume: 'event',
  });
}

function needed(objects: PlannedObject[]): ObjectKey[] {
  return [
    ...new Map(objects.flatMap((planned) => planned.needs).map((key) => [keyString(key), key])).values(),
  ];
}

function partition<T>(items: T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
