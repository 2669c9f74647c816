import type { Release, ReleaseStatus } from '../../api/release.ts';

/**
 * The renders that a store must keep (rollout.md, "Render store"): the current one, lastHealthy, lastSuccessful, the pin and
 * those of the history.
 * @param statuses the status as it was read and as it will be written: whichever is there after a crash, nothing that it
 *   names is gone
 */
export function rendersToKeep(
  { spec }: Pick<Release, 'spec'>,
  statuses: readonly ReleaseStatus[],
): Set<string> {
  const refs = statuses.flatMap(
    ({ lastAttempted, lastHealthy, lastSuccessful, rollout, pin, history = [] }) => [
      ...[lastAttempted, lastHealthy, lastSuccessful, rollout, pin].map((named) => named?.renderRef),
      ...history.map(({ renderRef }) => renderRef),
    ],
  );
  return new Set([...refs, spec.pin?.renderRef].filter((ref) => ref !== undefined));
}
