import type { Release, ReleaseStatus } from '../../api/release.ts';

/**
 * The renders that a store must keep (rollout.md, "Render store"): the current one, lastHealthy, lastSuccessful, the pin and
 * those of the history.
 */
export function rendersToKeep({ spec }: Pick<Release, 'spec'>, status: ReleaseStatus): Set<string> {
  const { lastAttempted, lastHealthy, lastSuccessful, rollout, pin, history = [] } = status;
  const named = [lastAttempted, lastHealthy, lastSuccessful, rollout, pin, ...history, spec.pin];
  return new Set(named.map((entry) => entry?.renderRef).filter((ref) => ref !== undefined));
}
