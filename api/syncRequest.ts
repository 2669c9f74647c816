import { MAX_REQUEST_ID, MAX_SUPERSEDED } from './limits.ts';

/** What the annotation `convoy.kumodo.io/sync` asks for. */
export interface SyncRequest {
  /** Handled once: the outcome stands under it in `status.sync.recent`. */
  id: string;
  /** Clears Failed and RolledBack, starts the clocks of the waves again, skips the dry run (rollout.md, "Sync requests"). */
  force: boolean;
  /** Ids of requests that it replaced before they were taken, the latest first. */
  supersedes: readonly string[];
}

/** What a client does with its wish: another's request is good enough for it, or it writes one of its own. */
export type SyncDecision = { join: SyncRequest } | { write: SyncRequest };

/**
 * Reads the annotation. `force` and `supersedes` may be absent; fields that are not known are passed over.
 * @returns the request, or what is wrong with the text, for a message
 */
export function parseSyncRequest(text: string): SyncRequest | { invalid: string } {
  const parsed = parseObject(text);
  if (parsed === undefined) return { invalid: 'it is no JSON object: write {"id": "…", "force": false}' };
  const { id, force = false, supersedes = [] } = parsed;
  if (!isRequestId(id)) return { invalid: `id is no string of 1 to ${MAX_REQUEST_ID} characters` };
  if (typeof force !== 'boolean') return { invalid: 'force is neither true nor false' };
  if (!Array.isArray(supersedes) || supersedes.length > MAX_SUPERSEDED || !supersedes.every(isRequestId))
    return { invalid: `supersedes is no list of at most ${MAX_SUPERSEDED} ids` };
  return { id, force, supersedes };
}

/** The text of the annotation, which parseSyncRequest reads back. */
export function formatSyncRequest({ id, force, supersedes }: SyncRequest): string {
  return JSON.stringify({ id, force, ...(supersedes.length === 0 ? {} : { supersedes }) });
}

/**
 * Decides how a client asks for a sync without losing a request that nobody has taken (rollout.md, "Sync requests"). The
 * decision holds for the Release that was read: the client writes it with that resourceVersion.
 * @param annotation its text as it was read; undefined where there is none
 * @param handled ids of `status.sync.recent`
 * @param wish the id of the client's own request, and whether it is forced
 * @returns `join`: the request that waits already is at least as strong; `write`: the client's own, which names what it replaces
 */
export function joinOrReplace(
  annotation: string | undefined,
  handled: readonly string[],
  { id, force }: Pick<SyncRequest, 'id' | 'force'>,
): SyncDecision {
  const waiting = unhandledRequest(annotation, handled);
  if (waiting === undefined) return { write: { id, force, supersedes: [] } };
  if (waiting.force || !force) return { join: waiting };
  return {
    write: { id, force, supersedes: [waiting.id, ...waiting.supersedes].slice(0, MAX_SUPERSEDED) },
  };
}

/**
 * The request that waits for the controller.
 * @returns undefined where there is none, it was taken already, or it cannot be read
 */
export function unhandledRequest(
  annotation: string | undefined,
  handled: readonly string[],
): SyncRequest | undefined {
  if (annotation === undefined) return undefined;
  const request = parseSyncRequest(annotation);
  return 'invalid' in request || handled.includes(request.id) ? undefined : request;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
    return parsed as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function isRequestId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_REQUEST_ID;
}
