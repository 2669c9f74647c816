import { backoffDelay } from './backoff.ts';
import { type Clock, pause, type Random, systemClock } from './clock.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { ApiRequest, Transport } from './transport.ts';

export interface RetryOptions {
  clock?: Clock;
  random?: Random;
  /** How often a request is sent at most. */
  attempts?: number;
  /** Longer pauses than this are the caller's, who has other work to do: it gets the error with its retryAfterMs. */
  maxPauseMs?: number;
}

/** Where the server says 429 and not for how long. */
const UNNAMED_PAUSE = { baseMs: 250, maxMs: 4_000 };

/** Errors of a kept-alive connection that the server closed while the request was on its way. */
const CLOSED_UNDERWAY: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Waits where the server asks for it, as client-go does: 429, and 5xx with `Retry-After`; each pause is at least as long
 * as asked, jittered upwards. A GET whose connection closes underway is sent once more at once. All other errors are the
 * caller's, who knows what may be repeated.
 */
export function withRetry(transport: Transport, options: RetryOptions = {}): Transport {
  const { clock = systemClock, random = Math.random, attempts = 5, maxPauseMs = 15_000 } = options;

  async function attempt<T>(request: ApiRequest, send: (request: ApiRequest) => Promise<T>): Promise<T> {
    for (let sent = 1; ; sent++) {
      try {
        return await send(request);
      } catch (error) {
        const pauseMs = pauseBefore(error, request, sent, random);
        if (pauseMs === undefined || pauseMs > maxPauseMs || sent >= attempts) throw error;
        await pause(clock, pauseMs, request.signal ?? NEVER);
        request.signal?.throwIfAborted();
      }
    }
  }

  return {
    request: (request) => attempt(request, (again) => transport.request(again)),
    stream: (request) => attempt(request, (again) => transport.stream(again)),
    close: () => transport.close(),
  };
}

const NEVER = new AbortController().signal;

function pauseBefore(error: unknown, request: ApiRequest, sent: number, random: Random): number | undefined {
  if (error instanceof ConnectionError) {
    return request.method === 'GET' && sent === 1 && CLOSED_UNDERWAY.has(error.code) ? 0 : undefined;
  }
  if (!(error instanceof ApiError)) return undefined;
  if (error.retryAfterMs !== undefined && (error.status === 429 || error.status >= 500)) {
    return error.retryAfterMs * (1 + random() / 4);
  }
  return error.status === 429 ? backoffDelay(sent - 1, UNNAMED_PAUSE, random) : undefined;
}
