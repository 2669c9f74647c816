import type { SyncStrategy } from '../../api/annotations.ts';

/** What a wave asks of the one before it: that all of its objects are Healthy. */
export interface Gate {
  /** How long it may wait, in milliseconds; absent: without limit. */
  limitMs?: number;
}

/**
 * The gate of a wave (waves.md, axis A, 3): there is one where an object of it has waitForHealthy or
 * waitForHealthyWithTimeout, and its limit is the largest timeout among the latter.
 * @returns undefined where the wave waits for nothing
 */
export function gateOf(objects: readonly { strategy: SyncStrategy; timeoutMs: number }[]): Gate | undefined {
  const gated = objects.filter(({ strategy }) => strategy !== 'waitForApplied');
  if (gated.length === 0) return undefined;
  const bounded = gated.filter(({ strategy }) => strategy === 'waitForHealthyWithTimeout');
  if (bounded.length === 0) return {};
  return { limitMs: bounded.reduce((largest, { timeoutMs }) => Math.max(largest, timeoutMs), 0) };
}
