/** Anything that went wrong between this process and an API server. Its `message` is one line that a person can act on. */
export class KubeError extends Error {
  override name = 'KubeError';
}

/** One entry of metav1.StatusDetails.causes: mostly a field and what is wrong with it. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface ApiErrorInit {
  /** HTTP status code, or metav1.Status.code where a watch delivers the error. */
  status: number;
  /** metav1.Status.reason, `` where the server (or a proxy before it) gave none. */
  reason: string;
  /** What the server said, without our own prefix. */
  serverMessage: string;
  details?: StatusDetails;
  retryAfterMs?: number;
  /** What was asked: `PATCH /api/v1/namespaces/shop/configmaps/web`. */
  request: string;
}

/** The API server answered, and the answer is a refusal (metav1.Status). */
export class ApiError extends KubeError {
  override name = 'ApiError';
  readonly status: number;
  readonly reason: string;
  readonly serverMessage: string;
  readonly details: StatusDetails | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: string;

  constructor(init: ApiErrorInit) {
    const code = init.reason === '' ? String(init.status) : `${init.status} ${init.reason}`;
    super(`${init.request}: ${init.serverMessage} (${code})`);
    this.status = init.status;
    this.reason = init.reason;
    this.serverMessage = init.serverMessage;
    this.details = init.details;
    this.retryAfterMs = init.retryAfterMs;
    this.request = init.request;
  }
}

/** No answer came: refused, reset, cut off, timed out, a name that does not resolve, a certificate that is not trusted. */
export class ConnectionError extends KubeError {
  override name = 'ConnectionError';
  /** Node's, undici's or OpenSSL's code (`ECONNREFUSED`, `UND_ERR_HEADERS_TIMEOUT`), `` where there is none. */
  readonly code: string;

  constructor(request: string, cause: unknown) {
    const code = codeOf(cause);
    super(`${request}: ${CONNECTION_TROUBLE[code] ?? messageOf(cause)}${code === '' ? '' : ` (${code})`}`, {
      cause,
    });
    this.code = code;
  }
}

/** The answer is not one an API server gives: no JSON, or larger than the limit. Asking again does not help. */
export class ProtocolError extends KubeError {
  override name = 'ProtocolError';
}

const CONNECTION_TROUBLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time limit',
  UND_ERR_HEADERS_TIMEOUT: 'no answer within the time limit',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped within the time limit',
  UND_ERR_SOCKET: 'connection closed by the other side',
  UND_ERR_CLOSED: 'the transport is closed',
  UND_ERR_DESTROYED: 'the transport is closed',
};

function codeOf(cause: unknown): string {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : '';
  return typeof code === 'string' ? code : '';
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

const hasStatus =
  (status: number) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && error.status === status;

export const isNotFound = hasStatus(404);
/** A 404 that speaks of the path, not of an object (which it would name): the type is not served there. */
export function isUnserved(error: unknown): error is ApiError {
  return isNotFound(error) && error.details?.name === undefined;
}

export const isForbidden = hasStatus(403);
export const isUnauthorized = hasStatus(401);
export const isGone = hasStatus(410);
export const isInvalid = hasStatus(422);
export const isTooManyRequests = hasStatus(429);

/** 409 for a resourceVersion, a UID precondition or a field manager that does not match; not the 409 of a name that is taken. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason !== 'AlreadyExists';
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && error.reason === 'AlreadyExists';
}

/**
 * True for the error of a misspelt or mistyped field in a server-side apply. The API server reports it as
 * 500 InternalError, though no repetition can heal it (kubernetes/kubernetes, apimachinery managedfields).
 */
export function isTypedPatchError(error: unknown): boolean {
  return error instanceof ApiError && error.serverMessage.includes('failed to create typed patch object');
}

/** Server trouble that repetition does not heal: not implemented, HTTP version not supported. */
const FINAL_SERVER_ERRORS: ReadonlySet<number> = new Set([501, 505]);

/**
 * Whether the same request may succeed later without anybody changing anything: 408, 429, 5xx, no connection.
 * A conflict heals only for those who read again or who force, so they say so by `conflict: true`.
 */
export function isRetryable(error: unknown, options: { conflict?: boolean } = {}): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || isTypedPatchError(error)) return false;
  if (error.status === 409) return error.reason !== 'AlreadyExists' && (options.conflict ?? false);
  if (error.status === 408 || error.status === 429) return true;
  return error.status >= 500 && !FINAL_SERVER_ERRORS.has(error.status);
}
