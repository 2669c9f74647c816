import type { HealthState } from '../../api/healthRules.ts';

/** What is known of one object's health. */
export interface Assessment {
  state: HealthState;
  /** For a person; at most MAX_HEALTH_MESSAGE bytes when it comes from assess(). */
  message: string;
  /** Milliseconds until time alone changes the answer; absent where only a change of the object does. */
  recheckAfterMs?: number;
  /**
   * Set on a Healthy that rests on a status which names no generation: right after an apply that changed the object it may
   * speak of the object before, so a later event, or some time without one, has to confirm it.
   */
  unconfirmed?: true;
  /** Steps that a rule took for it, where they are many (meter.ts). */
  steps?: number;
}

/** Healthy by what a controller wrote. */
export const healthy = (message: string): Assessment => ({ state: 'Healthy', message, unconfirmed: true });
/** Healthy whatever a controller wrote, or where none writes. */
export const healthyByItself = (message: string): Assessment => ({ state: 'Healthy', message });
export const progressing = (message: string): Assessment => ({ state: 'Progressing', message });
export const degraded = (message: string): Assessment => ({ state: 'Degraded', message });
export const unknown = (message: string): Assessment => ({ state: 'Unknown', message });

/** How long a failure that often passes by itself counts as Progressing. */
const GRACE_MS = 60_000;

/**
 * Progressing until what is wrong has been so for a while, then Degraded.
 * @param since milliseconds of the epoch; undefined (nobody says since when) is Degraded at once
 * @param graceMs how long it may last; a `since` in the future (clocks differ) never makes it longer
 */
export function degradedAfter(
  message: string,
  since: number | undefined,
  now: Date,
  graceMs = GRACE_MS,
): Assessment {
  const left = since === undefined ? 0 : Math.min(graceMs, since + graceMs - now.getTime());
  return left > 0 ? { ...progressing(message), recheckAfterMs: left } : degraded(message);
}

/**
 * Of several findings about one object the one that decides: the first that is Degraded, else the Progressing one that
 * changes soonest. Undefined where there is none.
 */
export function decisive(findings: readonly Assessment[]): Assessment | undefined {
  const soonest = (a: Assessment, b: Assessment) =>
    (b.recheckAfterMs ?? Infinity) < (a.recheckAfterMs ?? Infinity) ? b : a;
  const [first, ...others] = findings;
  if (first === undefined) return undefined;
  return findings.find(({ state }) => state === 'Degraded') ?? others.reduce(soonest, first);
}
