import { SYNC } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import { parseSyncRequest } from '../../api/syncRequest.ts';

/**
 * Checks a sync request that is new: nobody would ever take one that cannot be read.
 * @param previous the Release as it was; undefined where it is created
 */
export function syncRequestProblem(
  release: KubeObject,
  previous: KubeObject | undefined,
): string | undefined {
  const text = release.metadata.annotations?.[SYNC];
  if (text === undefined || text === previous?.metadata.annotations?.[SYNC]) return undefined;
  const request = parseSyncRequest(text);
  return 'invalid' in request ? `annotation ${SYNC}: ${request.invalid}` : undefined;
}
