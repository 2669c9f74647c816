import { ApiError, ConnectionError, KubeError, ProtocolError } from './errors.ts';

/** A streaming list whose watch ended before the bookmark that closes the first state. */
export class InitialEventsCut extends KubeError {
  override name = 'InitialEventsCut';

  constructor() {
    super('watch: it ended before the initial events did');
  }
}

/** Refusals that say nothing about the version, so that a watch goes on where it was. */
const RESUMABLE_STATUS: ReadonlySet<number> = new Set([401, 403, 408, 429, 500, 502, 503, 504]);
/** A server that asks for more is asked again after this nevertheless. */
const MAX_RETRY_AFTER_MS = 300_000;

/**
 * Whether a watch cannot go on from its version: it is too old (410), newer than the server itself (a server restored
 * from a backup), refused for a reason that another version may not have, or answered by events that cannot be read.
 */
export function mustRelist(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  return error instanceof ApiError && (!RESUMABLE_STATUS.has(error.status) || isVersionTooLarge(error));
}

/**
 * Whether the failure of a watch may come from its version though the server does not say so. An outage does not: all
 * clients would list everything once more when the server is back.
 */
export function mayBlameVersion(error: unknown): boolean {
  return error instanceof ApiError && error.status === 500;
}

function isVersionTooLarge({ details }: ApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'ResourceVersionTooLarge') ?? false;
}

/** Servers without streaming lists refuse the parameters (400, 422) or never send the closing bookmark. */
export function isUnsupportedStreamingList(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400 || error.status === 422;
  return error instanceof InitialEventsCut;
}

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether there was somebody at the other end, before it failed. */
export function wasConnected(error: unknown): boolean {
  return !(error instanceof ConnectionError && NEVER_CONNECTED.has(error.code));
}

/** How long the server asked to stay away, in milliseconds; at most five minutes. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? Math.min(error.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0;
}
