import type { ObjectKey } from '../../api/object.ts';
import { objectsOfPlan, type Plan, type PlannedObject, type PlannedWave } from '../../engine/plan/plan.ts';
import { Halt } from '../release/halt.ts';
import { Existence } from './existence.ts';
import type { ApplyTarget } from './wavePass.ts';
import { WavePass } from './wavePass.ts';

export interface ApplyRun extends ApplyTarget {
  plan: Plan;
  /** Ends the run where a wave may not be applied yet. @throws Halt */
  passGate: (wave: PlannedWave, previous: PlannedWave | undefined) => void;
  onWaveStarted: (wave: PlannedWave) => void;
  /** All of the wave is applied. */
  onWaveCompleted: (wave: PlannedWave) => void;
  /** Keeps waiting in the background for what a hold needs; the Release is reconciled when it is there. */
  wakeWhen: (ready: (signal: AbortSignal) => Promise<void>) => void;
}

/**
 * Applies all waves in ascending order, all of a wave before the next one (waves.md, axis A). Every step can run twice;
 * the inventory learns each object's UID.
 * @throws Halt of a gate that is closed; `ApplyFailed` or `AccessDenied` with every problem of the stage; `WaitingForStage` where objects wait
 *   for what they cannot exist without: then all else of that wave is applied
 */
export async function applyWaves(run: ApplyRun): Promise<void> {
  const existence = new Existence(run.cluster, needsOf(run.plan));
  let isHeld = false;
  try {
    for (const [index, wave] of run.plan.waves.entries()) {
      run.passGate(wave, run.plan.waves[index - 1]);
      run.onWaveStarted(wave);
      const held = await new WavePass(run, existence).apply(wave);
      if (held.length > 0) {
        isHeld = true;
        hold(run, wave, held, existence);
      }
      run.onWaveCompleted(wave);
    }
  } finally {
    // Where the Release holds, the wait goes on behind it.
    if (!isHeld) existence.close();
  }
}

function needsOf(plan: Plan): ObjectKey[] {
  return objectsOfPlan(plan).flatMap(({ needs }) => needs);
}

function hold(run: ApplyRun, wave: PlannedWave, held: PlannedObject[], existence: Existence): never {
  const needs = held.flatMap((planned) => planned.needs).filter((key) => !existence.isUsable(key));
  run.wakeWhen(async (signal) => {
    try {
      await existence.usable(needs, signal);
    } finally {
      existence.close();
    }
  });
  const reasons = [...new Set(existence.explain(needs))].join('; ');
  const many = held.length === 1 ? '1 object waits' : `${held.length} objects wait`;
  throw new Halt(`wave ${wave.number}: ${many}: ${reasons}`, { reason: 'WaitingForStage', resume: 'event' });
}
