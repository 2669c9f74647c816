import type { SyncStrategy } from '../../api/annotations.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { Release } from '../../api/release.ts';

/** Where a Release stands among those of its cluster, and what it asks of those before it. */
export interface Place {
  wave: number;
  strategy: SyncStrategy;
  /** How long it may wait, in milliseconds; absent: without limit. */
  limitMs?: number;
}

/** Reads `spec.syncPolicy.waveStrategy`. A timeout counts with waitForHealthyWithTimeout alone (waves.md, axis B, 4). */
export function placeOf({ spec }: Pick<Release, 'spec'>): Place {
  const {
    wave = DEFAULTS.clusterWave,
    strategy = DEFAULTS.syncStrategy,
    timeout,
  } = spec.syncPolicy?.waveStrategy ?? {};
  const limitMs = timeout === undefined ? undefined : parseDuration(timeout);
  const isBounded = strategy === 'waitForHealthyWithTimeout' && limitMs !== undefined;
  return { wave, strategy, ...(isBounded ? { limitMs } : {}) };
}

/**
 * The cluster that a Release is ordered on: Releases of one namespace that name the same cluster, or none, which is the
 * one that the controller runs on (waves.md, axis B, 1).
 * @returns a text that is equal for two Releases where their waves count for one another
 */
export function clusterOf({ metadata, spec }: Pick<Release, 'metadata' | 'spec'>): string {
  return `${metadata.namespace ?? ''}/${spec.clusterRef?.name ?? ''}`;
}
