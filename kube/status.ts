import { ApiError, type StatusCause, type StatusDetails } from './errors.ts';
import { isRecord, listOf, textOf } from './json.ts';
import type { ResponseHeaders } from './transport.ts';

/** Server messages can hold a whole rejected object; a person reads the beginning. */
const MAX_MESSAGE = 8192;

/**
 * The error for an answer of 400 and above, or for the object of a watch event of type ERROR. `body` is a metav1.Status
 * or whatever a proxy put in its place. The pause asked for comes from `Retry-After` or else from the Status.
 */
export function statusError(
  request: string,
  httpStatus: number,
  body: unknown,
  headers: ResponseHeaders = {},
): ApiError {
  const status = isRecord(body) && body['kind'] === 'Status' ? body : {};
  const details = detailsOf(status['details']);
  const retryAfterMs = retryAfter(headers) ?? secondsToMs(details?.retryAfterSeconds);
  return new ApiError({
    status: typeof status['code'] === 'number' && httpStatus < 400 ? status['code'] : httpStatus,
    reason: textOf(status['reason']),
    serverMessage: clip(textOf(status['message']) || plainText(body)),
    ...(details === undefined ? {} : { details }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    request,
  });
}

function detailsOf(value: unknown): StatusDetails | undefined {
  if (!isRecord(value)) return undefined;
  const details: StatusDetails = {};
  for (const field of ['name', 'group', 'kind', 'uid'] as const) {
    const text = value[field];
    if (typeof text === 'string') details[field] = text;
  }
  if (typeof value['retryAfterSeconds'] === 'number') details.retryAfterSeconds = value['retryAfterSeconds'];
  const causes = listOf(value['causes']).filter(isRecord).map(causeOf);
  if (causes.length > 0) details.causes = causes;
  return details;
}

function causeOf(value: Record<string, unknown>): StatusCause {
  const cause: StatusCause = {};
  for (const field of ['reason', 'message', 'field'] as const) {
    const text = value[field];
    if (typeof text === 'string') cause[field] = clip(text);
  }
  return cause;
}

/** `Retry-After` in seconds; the API server never sends the form with a date. */
function retryAfter(headers: ResponseHeaders): number | undefined {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined;
}

function plainText(body: unknown): string {
  return typeof body === 'string' && body.trim() !== '' ? body.trim() : 'the server gave no message';
}

function clip(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}
