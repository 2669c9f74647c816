import { SYNC, SYNC_REQUESTED_BY } from '../../api/annotations.ts';
import { FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import { MAX_ACTOR } from '../../api/limits.ts';
import type { Release } from '../../api/release.ts';
import { formatSyncRequest, joinOrReplace, type SyncRequest } from '../../api/syncRequest.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isConflict } from '../../kube/errors.ts';

/** The controller writes the status often, each time a conflict for those who have read before. */
const MAX_TRIES = 20;

/** A Release that is being deleted is not synced any more. */
export class ReleaseGoing extends Error {
  override name = 'ReleaseGoing';
}

/**
 * Asks for a sync over the very state that was read, so that no other request is lost unseen (rollout.md, "Sync
 * requests"). The webhook lets the controller alone say who asked.
 * @param wish with an id that nobody else has
 * @returns the request that waits now, and whether it is somebody else's
 * @throws ReleaseGoing; ApiError 404 where there is no such Release
 */
export async function requestSync(
  client: KubeClient,
  at: ObjectName,
  { by, ...wish }: Pick<SyncRequest, 'id' | 'force'> & { by: string },
): Promise<{ request: SyncRequest; joined: boolean }> {
  for (let tries = 1; ; tries += 1) {
    const { metadata, status } = await client.get<Release>(RESOURCES.Release, at);
    if (metadata.deletionTimestamp !== undefined)
      throw new ReleaseGoing(`Release ${at.name} in namespace ${at.namespace ?? ''} is being deleted`);
    const handled = (status?.sync?.recent ?? []).map(({ id }) => id);
    const decision = joinOrReplace(metadata.annotations?.[SYNC], handled, wish);
    if ('join' in decision) return { request: decision.join, joined: true };
    const annotations = {
      [SYNC]: formatSyncRequest(decision.write),
      [SYNC_REQUESTED_BY]: by.slice(0, MAX_ACTOR),
    };
    const patch = { metadata: { resourceVersion: metadata.resourceVersion, annotations } };
    try {
      await client.patch(RESOURCES.Release, at, { type: 'merge', patch }, { fieldManager: FIELD_MANAGER });
      return { request: decision.write, joined: false };
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
    }
  }
}
