import { SYNC } from '../../api/annotations.ts';
import type { Release } from '../../api/release.ts';
import { parseSyncRequest } from '../../api/syncRequest.ts';
import { conditionOf, isFailure, readinessOf } from '../views/readiness.ts';

/** How a sync request stands. */
export type SyncState =
  /** The controller has not taken it. */
  | { phase: 'queued' }
  /** It was taken; what is not there is told by Ready. */
  | { phase: 'running' }
  | { phase: 'done' }
  | { phase: 'failed'; why: string };

type Recent = NonNullable<NonNullable<NonNullable<Release['status']>['sync']>['recent']>[number];

/**
 * Follows one sync request from state to state of its Release. A request that is replaced before it is taken lives on in
 * the one that replaced it, which is at least as strong.
 */
export class SyncFollower {
  #id: string;
  /** Ready before the request was taken: a failure from then is none of its own. */
  #readyBefore: string;
  /** What was applied for it. */
  #render: string | undefined;

  constructor(id: string, release: Release) {
    this.#id = id;
    this.#readyBefore = readyText(release);
  }

  /** Of the request that is followed now. */
  get id(): string {
    return this.#id;
  }

  /** @param release a state no older than the one before */
  see(release: Release): SyncState {
    const taken = this.#findTaken(release);
    if (taken !== undefined) return this.#judge(taken, release);
    this.#readyBefore = readyText(release);
    return this.#findWaiting(release)
      ? { phase: 'queued' }
      : { phase: 'failed', why: 'the request is gone: somebody has overwritten or removed its annotation' };
  }

  #findTaken({ status }: Release): Recent | undefined {
    const recent = status?.sync?.recent ?? [];
    const taken =
      recent.find(({ id }) => id === this.#id) ??
      recent.find(({ supersedes = [] }) => supersedes.includes(this.#id));
    if (taken !== undefined) this.#id = taken.id;
    return taken;
  }

  /** Another render has come before all of the one that was asked for was healthy. */
  #newRender({ status = {} }: Release): string | undefined {
    const renderRef = status.lastAttempted?.renderRef;
    this.#render ??= renderRef;
    if (renderRef === this.#render || renderRef === undefined) return undefined;
    return `Superseded by a new render, ${renderRef}, before all objects were healthy`;
  }

  #findWaiting({ metadata }: Release): boolean {
    const request = parseSyncRequest(metadata.annotations?.[SYNC] ?? '');
    if ('invalid' in request) return false;
    if (request.id !== this.#id && !request.supersedes.includes(this.#id)) return false;
    this.#id = request.id;
    return true;
  }

  #judge({ result }: Recent, release: Release): SyncState {
    if (result !== undefined && !isApplied(result)) return { phase: 'failed', why: result };
    const { status, reason, message } = readinessOf(release);
    const isOld = result === undefined && readyText(release) === this.#readyBefore;
    if (isFailure(reason) && !isOld) return { phase: 'failed', why: `${reason}: ${message}` };
    if (result === undefined) return { phase: 'running' };
    const why = this.#newRender(release) ?? failedRollout(release);
    if (why !== undefined) return { phase: 'failed', why };
    return { phase: status === 'True' ? 'done' : 'running' };
  }
}

/** Its deadline has passed: what comes later may heal, and is no success of the sync. */
function failedRollout({ status = {} }: Release): string | undefined {
  const { rollout, lastAttempted } = status;
  if (rollout?.state !== 'Failed' || rollout.renderRef !== lastAttempted?.renderRef) return undefined;
  return `RolloutFailed: ${rollout.message ?? ''}`;
}

function isApplied(result: string): boolean {
  return result === 'Applied' || result.startsWith('Applied:');
}

function readyText(release: Release): string {
  return JSON.stringify(conditionOf(release, 'Ready') ?? {});
}
