import type { ObjectKey } from '../../api/object.ts';
import { objectsOfPlan, type Plan, type PlannedWave } from '../../engine/plan/plan.ts';
import type { ReflectorFault } from '../../kube/reflector.ts';
import { Halt, isHold } from '../release/halt.ts';
import { applyFailure } from './applyFailure.ts';
import { Backends } from './backends.ts';
import { Existence } from './existence.ts';
import { holdBefore, passGate } from './gate.ts';
import type { Problem } from './problem.ts';
import { typesInUse } from './typeWait.ts';
import { type ApplyTarget, type Held, WavePass } from './wavePass.ts';

export interface ApplyRun extends ApplyTarget {
  plan: Plan;
  /** Removes what is to be gone at the end of a wave; `next` is the wave after it. @throws Halt */
  purge: (next: PlannedWave | undefined) => Promise<void>;
  onWaveStarted: (wave: PlannedWave) => void;
  /** All of the wave is applied. */
  onWaveCompleted: (wave: PlannedWave) => void;
  /** Keeps waiting in the background for what a hold needs; the Release is reconciled when it is there. */
  wakeWhen: (ready: (signal: AbortSignal) => Promise<void>) => void;
  onFault: (fault: ReflectorFault) => void;
}

/**
 * Applies all waves in ascending order, all of a wave before the next one (waves.md, axis A). Every step can run twice;
 * the inventory learns each object's UID.
 * @throws Halt of a gate that is closed; `ApplyFailed` or `AccessDenied` with every problem of the stage;
 *   the same at the end for objects whose Namespace is being deleted, while all others go on;
 *   `WaitingForStage` where objects wait for others of the render: then all else of that wave is applied
 */
export async function applyWaves(run: ApplyRun): Promise<void> {
  const waits = {
    existence: new Existence(run.cluster, needsOf(run.plan)),
    backends: new Backends(run.cluster.watcher, run.onFault),
  };
  let goesOn = false;
  const homeless: Problem[] = [];
  try {
    for (const [index, wave] of run.plan.waves.entries()) {
      passGate(run.keeper, wave, run.plan.waves[index - 1]);
      run.onWaveStarted(wave);
      const next = run.plan.waves[index + 1];
      const pass = new WavePass(run, waits);
      const held = await pass.apply(wave);
      homeless.push(...pass.homeless);
      if (held.length > 0) {
        goesOn = waitBehind(run, held, waits);
        throw holdBefore(run.keeper, waiting(wave, held, waits), { wave, next });
      }
      if (homeless.length > 0) continue;
      await purge(run, { wave, next });
      run.onWaveCompleted(wave);
    }
    if (homeless.length > 0) throw applyFailure(homeless);
  } catch (error) {
    // What a gate or a stage waits for then never comes.
    throw homeless.length > 0 && isHold(error) ? applyFailure(homeless) : error;
  } finally {
    if (!goesOn) close(waits);
  }
}

async function purge(run: ApplyRun, at: { wave: PlannedWave; next: PlannedWave | undefined }): Promise<void> {
  try {
    await run.purge(at.next);
  } catch (error) {
    throw isHold(error) ? holdBefore(run.keeper, error, at) : error;
  }
}

interface Waits {
  existence: Existence;
  backends: Backends;
}

function needsOf(plan: Plan): ObjectKey[] {
  return objectsOfPlan(plan).flatMap(({ needs }) => needs);
}

/** Where the Release holds, the waits go on behind it. @returns whether there are any: news of health come by themselves */
function waitBehind(run: ApplyRun, held: readonly Held[], waits: Waits): boolean {
  const needs = missingOf(held, waits);
  const services = held.flatMap(({ services: awaited = [] }) => awaited);
  const unknown = held.flatMap(({ planned, isUnknown }) => (isUnknown === true ? [planned.object] : []));
  if (needs.length === 0 && services.length === 0 && unknown.length === 0) return false;
  run.wakeWhen(async (signal) => {
    try {
      await waits.existence.usable(needs, signal);
      await waits.backends.ready(services, signal);
      if (unknown.length > 0) await typesInUse(run.cluster, unknown, run.onFault, signal);
    } finally {
      close(waits);
    }
  });
  return true;
}

function waiting(wave: PlannedWave, held: readonly Held[], waits: Waits): Halt {
  const reasons = [
    ...waits.existence.explain(missingOf(held, waits)),
    ...held.flatMap(({ services = [] }) => waits.backends.explain(services)),
    ...held.flatMap(({ why }) => why ?? []),
  ];
  const many = held.length === 1 ? '1 object waits' : `${held.length} objects wait`;
  return new Halt(`wave ${wave.number}: ${many}: ${[...new Set(reasons)].join('; ')}`, {
    reason: 'WaitingForStage',
    resume: 'event',
    dueAt: Math.min(...held.map(({ dueAt = Infinity }) => dueAt)),
  });
}

/** What the held objects cannot exist without. */
function missingOf(held: readonly Held[], { existence }: Waits): ObjectKey[] {
  return held.flatMap(({ planned }) => planned.needs).filter((key) => !existence.isUsable(key));
}

function close({ existence, backends }: Waits): void {
  existence.close();
  backends.close();
}
