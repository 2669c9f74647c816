import { SYNC } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { formatSyncRequest, joinOrReplace, type SyncRequest } from '../../api/syncRequest.ts';
import { isConflict } from '../../kube/errors.ts';
import { CliProblem } from '../cli/problem.ts';
import type { Session } from '../cluster/session.ts';
import { getRelease } from '../commands/getRelease.ts';

/** A request that waits for the controller. */
export interface Asked {
  request: SyncRequest;
  /** Somebody had asked for as much already: no request of our own was written. */
  joined: boolean;
  /** As it was written, or read where another's request was joined. */
  release: Release;
}

/** The controller writes the status often, each time a conflict for those who have read before. */
const MAX_TRIES = 20;

/**
 * Asks for a sync (rollout.md, "Sync requests"): joins the request that waits already, or writes one, over the very state
 * that was read, so that no other request is lost unseen.
 * @param wish with an id that nobody else has
 * @throws CliProblem where there is no such Release or it is being deleted, and what KubeClient throws
 */
export async function requestSync(
  session: Session,
  name: string,
  wish: Pick<SyncRequest, 'id' | 'force'>,
): Promise<Asked> {
  for (let tries = 1; ; tries += 1) {
    const release = await getRelease(session, name);
    refuseDeleted(release);
    const decision = joinOrReplace(release.metadata.annotations?.[SYNC], handledIds(release), wish);
    if ('join' in decision) return { request: decision.join, joined: true, release };
    try {
      return {
        request: decision.write,
        joined: false,
        release: await write(session, release, decision.write),
      };
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** Ids of the requests that the controller has taken. */
function handledIds({ status }: Release): string[] {
  return (status?.sync?.recent ?? []).map(({ id }) => id);
}

async function write({ client }: Session, { metadata }: Release, request: SyncRequest): Promise<Release> {
  const { namespace = '', name, resourceVersion } = metadata;
  const annotations = { [SYNC]: formatSyncRequest(request) };
  return await client.patch<Release>(
    RESOURCES.Release,
    { namespace, name },
    { type: 'merge', patch: { metadata: { resourceVersion, annotations } } },
    { fieldManager: 'kubectl-convoy' },
  );
}

function refuseDeleted({ metadata }: Release): void {
  const { name, namespace = '', deletionTimestamp } = metadata;
  if (deletionTimestamp === undefined) return;
  throw new CliProblem(`Release ${name} in namespace ${namespace} is being deleted`, {
    why: [`since ${deletionTimestamp}; nothing of it is applied any more`],
    hints: [`see what it waits for: kubectl convoy release why ${name} -n ${namespace}`],
  });
}
