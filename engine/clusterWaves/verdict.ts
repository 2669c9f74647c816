import type { Place } from './place.ts';
import type { Standing } from './standing.ts';

export interface ClosedClusterWave {
  gate: 'hold' | 'failed';
  /** Those that do not pass, lower waves first; never empty. */
  failing: readonly Standing[];
  /** Start of the clock: the latest change of Applied among them, milliseconds of the epoch. */
  since: number;
  /** When the cluster wave fails, or did; absent where there is no limit. */
  until?: number;
}

/** Whether a Release may be applied, by those before it. */
export type ClusterVerdict = { gate: 'open' } | ClosedClusterWave;

/**
 * Whether a Release may be applied (waves.md, axis B, 1 to 4). Only strictly lower waves count, so that no two Releases, and
 * no circle of them, can wait for one another.
 * @param place of the Release
 * @param others of its cluster, itself and those that come later may be among them; none that is being deleted
 * @param now milliseconds of the epoch
 */
export function judgeClusterWave(place: Place, others: Iterable<Standing>, now: number): ClusterVerdict {
  const failing = [...others].filter((other) => other.wave < place.wave && !passes(place, other));
  if (failing.length === 0) return { gate: 'open' };
  failing.sort(byWave);
  const since = failing.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
  if (place.limitMs === undefined) return { gate: 'hold', failing, since };
  const until = since + place.limitMs;
  return { gate: now >= until ? 'failed' : 'hold', failing, since, until };
}

function passes({ strategy }: Place, { isApplied, isHealthy }: Standing): boolean {
  return strategy === 'waitForApplied' ? isApplied : isHealthy;
}

function byWave(a: Standing, b: Standing): number {
  return a.wave - b.wave || (a.name < b.name ? -1 : 1);
}
