import type { ObjectKey } from '../../api/object.ts';
import { objectsOfWave, type PlannedObject, type PlannedWave } from '../../engine/plan/plan.ts';
import { gateOf } from '../../engine/waves/gate.ts';
import { gateMessage } from '../../engine/waves/message.ts';
import { judgeGate, type ObjectHealth, type ObservedObject } from '../../engine/waves/verdict.ts';
import { Halt } from '../release/halt.ts';

export interface Gatekeeper {
  /** `spec.healthAssessment` is set: without it no wave waits. */
  assessed: boolean;
  /** Health for the render that is being applied. */
  healthOf: (key: ObjectKey) => ObjectHealth | undefined;
  /** News of the object come by themselves. */
  isWatched: (planned: PlannedObject) => boolean;
  /** The object was applied for this render already. */
  wasApplied: (key: ObjectKey) => boolean;
  /** First apply of a wave for this render, milliseconds of the epoch. */
  startedAt: (wave: number) => number;
  now: () => number;
}

/** How often it is looked whether a wave is healthy whose objects cannot be watched (ms). */
const BLIND_INTERVAL_MS = 10_000;

/**
 * Lets a wave be applied, or not (waves.md, axis A, 3 to 8).
 * @throws Halt `WaitingForWaveHealth` until the wave before is healthy; `WaveFailed` where it did not become so in time
 */
export function passGate(keeper: Gatekeeper, wave: PlannedWave, previous: PlannedWave | undefined): void {
  const closed = closedGate(keeper, wave, previous);
  if (closed !== undefined) throw closed;
}

/**
 * What a hold in a wave comes to for the wave behind it: it does not stop the clock of that one's gate.
 * @returns the hold, due when the gate times out; `WaveFailed`, with what is waited for, when it has
 */
export function holdBefore(
  keeper: Gatekeeper,
  hold: Halt,
  { wave, next }: { wave: PlannedWave; next: PlannedWave | undefined },
): Halt {
  const closed = next && closedGate(keeper, next, wave);
  if (closed === undefined) return hold;
  const dueAt = Math.min(hold.dueAt ?? Infinity, closed.dueAt ?? Infinity);
  const { reason, stage, resume } = closed.stage === undefined ? hold : closed;
  const message = closed.stage === undefined ? hold.message : `${closed.message}\n${hold.message}`;
  return new Halt(message, { reason, ...(stage === undefined ? {} : { stage }), resume, dueAt });
}

/** @returns why the wave is not applied; undefined where it is */
function closedGate(
  keeper: Gatekeeper,
  wave: PlannedWave,
  previous: PlannedWave | undefined,
): Halt | undefined {
  if (!keeper.assessed || previous === undefined) return undefined;
  const objects = objectsOfWave(wave);
  const verdict = judgeGate(gateOf(objects), appliedWave(keeper, previous), {
    wasOpen: objects.some(({ key }) => keeper.wasApplied(key)),
    now: keeper.now(),
  });
  if (verdict.gate === 'open') return undefined;
  const message = gateMessage(verdict, { waiting: wave.number, previous: previous.number });
  const lookAt = lookAgainAt(keeper, objectsOfWave(previous));
  if (verdict.gate === 'failed') {
    return new Halt(message, { reason: 'WaveFailed', stage: 'Wave', resume: 'event', dueAt: lookAt });
  }
  const { until = Infinity } = verdict;
  const dueAt = Math.min(until, lookAt);
  return new Halt(message, { reason: 'WaitingForWaveHealth', resume: 'event', dueAt });
}

/**
 * When to look at objects again that are waited for: whoever may not watch one of them has to ask for its health.
 * @returns milliseconds of the epoch; Infinity where news come by themselves
 */
export function lookAgainAt(keeper: Gatekeeper, objects: readonly PlannedObject[]): number {
  const isBlind = objects.some(
    (planned) => keeper.healthOf(planned.key)?.state !== 'Healthy' && !keeper.isWatched(planned),
  );
  return isBlind ? keeper.now() + BLIND_INTERVAL_MS : Infinity;
}

function appliedWave(keeper: Gatekeeper, wave: PlannedWave) {
  return {
    number: wave.number,
    startedAt: keeper.startedAt(wave.number),
    objects: objectsOfWave(wave).map(({ key }): ObservedObject => ({ key, health: keeper.healthOf(key) })),
  };
}
