import type { HealthState } from '../../api/healthRules.ts';
import type { ObjectKey } from '../../api/object.ts';
import type { Gate } from './gate.ts';

/** Health of one object, assessed for the render that is being applied. */
export interface ObjectHealth {
  state: HealthState;
  /** For a person; may be empty. */
  message: string;
  /** Since when it is in that state, milliseconds of the epoch. */
  since: number;
  /** Since when it is not Healthy, where that is longer: through however many states. */
  unhealthySince?: number;
}

export interface ObservedObject {
  key: ObjectKey;
  /** Undefined while it has no state for this render. */
  health: ObjectHealth | undefined;
}

/** The wave that a gate looks at. */
export interface AppliedWave {
  number: number;
  /** Its first apply for the current render, or since a forced sync; milliseconds of the epoch. */
  startedAt: number;
  objects: readonly ObservedObject[];
}

export type Verdict =
  | { gate: 'open' }
  | {
      gate: 'hold' | 'failed';
      /** Those of the wave before that are not Healthy; never empty. */
      unhealthy: readonly ObservedObject[];
      /** Start of the clock, milliseconds of the epoch. */
      since: number;
      /** When the wave fails, or did; absent where the gate has no limit. */
      until?: number;
    };

/**
 * Whether a wave may be applied (waves.md, axis A, 3 to 8). The clock of a bounded gate runs from the start of the wave
 * before; once the gate has been open, from the time at which that wave lost its health.
 * @param gate of the wave that is due; undefined: it has none
 * @param previous the next lower wave that has objects; undefined: this is the first one, which never waits
 * @param wasOpen an object of the wave was applied for this render already
 * @param now milliseconds of the epoch
 */
export function judgeGate(
  gate: Gate | undefined,
  previous: AppliedWave | undefined,
  { wasOpen, now }: { wasOpen: boolean; now: number },
): Verdict {
  if (gate === undefined || previous === undefined) return { gate: 'open' };
  const unhealthy = previous.objects.filter(({ health }) => health?.state !== 'Healthy');
  if (unhealthy.length === 0) return { gate: 'open' };
  const since = wasOpen ? Math.max(previous.startedAt, lossOf(unhealthy, now)) : previous.startedAt;
  if (gate.limitMs === undefined) return { gate: 'hold', unhealthy, since };
  const until = since + gate.limitMs;
  return { gate: now >= until ? 'failed' : 'hold', unhealthy, since, until };
}

/** When health was lost: an object without a state loses it now. */
function lossOf(unhealthy: readonly ObservedObject[], now: number): number {
  return Math.min(...unhealthy.map(({ health }) => health?.unhealthySince ?? health?.since ?? now));
}
