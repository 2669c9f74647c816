import { SYNC, SYNC_REQUESTED_BY } from '../../api/annotations.ts';
import type { FailureStage } from '../../api/conditions.ts';
import { MAX_ACTOR, SYNC_HISTORY } from '../../api/limits.ts';
import type { Release, ReleaseStatus } from '../../api/release.ts';
import { parseSyncRequest, type SyncRequest } from '../../api/syncRequest.ts';
import type { Halt } from './halt.ts';

type SyncStatus = NonNullable<ReleaseStatus['sync']>;
type Handled = NonNullable<SyncStatus['recent']>[number];

/** What a request comes to when its render is applied; anything else is a reason and a message. */
const APPLIED = 'Applied';
const MAX_RESULT = 1_000;
/** Failures that say nothing of a render that is being applied. */
const BEFORE_RENDER: ReadonlySet<FailureStage> = new Set(['Source', 'Render', 'Cluster', 'ClusterWave']);

/**
 * The request that nobody has taken yet; undefined where there is none.
 * @returns what is wrong where it cannot be read
 */
export function waitingRequest({ metadata, status }: Release): SyncRequest | { invalid: string } | undefined {
  const text = metadata.annotations?.[SYNC];
  const request = text === undefined ? undefined : parseSyncRequest(text);
  if (request === undefined || 'invalid' in request) return request;
  const isHandled = status?.sync?.recent?.some(({ id }) => id === request.id) === true;
  return isHandled ? undefined : request;
}

/** Takes a request: it counts as handled from here on, whatever comes of it, and ends the one that was at work. */
export function takeRequest(
  status: ReleaseStatus,
  release: Release,
  request: SyncRequest,
  now: string,
): void {
  endRequests(status, `Superseded by ${request.id}`);
  const by = release.metadata.annotations?.[SYNC_REQUESTED_BY];
  const { id, force, supersedes } = request;
  const taken: Handled = {
    id,
    force,
    at: now,
    // Where no webhook stamps it, it is what somebody wrote.
    ...(by === undefined ? {} : { by: by.slice(0, MAX_ACTOR) }),
    ...(supersedes.length === 0 ? {} : { supersedes: [...supersedes] }),
  };
  status.sync = { recent: [taken, ...(status.sync?.recent ?? [])].slice(0, SYNC_HISTORY) };
}

/**
 * The request that the render goes back to: the one just taken, else the one that is at work on this very render.
 * @returns undefined where nobody asked for it
 */
export function authorise(
  status: ReleaseStatus,
  taken: SyncRequest | undefined,
  renderRef: string,
): SyncStatus['active'] {
  if (taken !== undefined) {
    status.sync = { ...status.sync, active: { id: taken.id, force: taken.force, renderRef } };
  } else if (status.sync?.active !== undefined && status.sync.active.renderRef !== renderRef) {
    endRequests(status, `Superseded by ${renderRef}`);
  }
  return status.sync?.active;
}

/** The render of the request is applied, also after it was told of failures. */
export function requestApplied(status: ReleaseStatus): void {
  if (status.sync?.active !== undefined) told(status, status.sync.active.id, APPLIED);
  endRequests(status, APPLIED);
}

/** The render of the request is not applied: the last healthy one is. */
export function requestRolledBack(status: ReleaseStatus, why: string): void {
  endRequests(status, `RolledBack: ${why}`);
}

/**
 * A hold leaves the request at work, and so does what fails before its render is reached again, cluster waves too, which open
 * later; a failure ends it.
 */
export function requestHalted(status: ReleaseStatus, halt: Halt): void {
  const { stage, reason, message } = halt;
  if (stage === undefined && reason !== 'Suspended') return;
  const active = status.sync?.active;
  if (active !== undefined && stage !== undefined && BEFORE_RENDER.has(stage)) return;
  const tells = `${reason}: ${message}`;
  if (active === undefined || !goesOn(halt)) {
    endRequests(status, tells);
    return;
  }
  told(status, active.id, tells);
}

/** Who asked is told of the failure at once, and what heals is tried again in their name. */
function goesOn({ resume, stage }: Halt): boolean {
  return resume === 'retry' || (stage === 'Prune' && resume === 'event');
}

function told(status: ReleaseStatus, active: string, result: string): void {
  const { recent = [] } = status.sync ?? {};
  status.sync = {
    ...status.sync,
    recent: recent.map((request) =>
      request.id === active ? { ...request, result: result.slice(0, MAX_RESULT) } : request,
    ),
  };
}

/** Every request without an outcome has this one. */
function endRequests(status: ReleaseStatus, result: string): void {
  if (status.sync === undefined) return;
  const { recent = [] } = status.sync;
  status.sync = {
    recent: recent.map((request) => ({ ...request, result: request.result ?? result.slice(0, MAX_RESULT) })),
  };
}
