import type { ErrorRequestHandler } from 'express';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { MalformedReview } from '../review/admissionReview.ts';
import { UnsupportedBody } from './body.ts';
import { NotReady } from './notReady.ts';

/**
 * The last word on what a route or the reading of a body has thrown: an HTTP status and one line, never a crash.
 * @param paths that are counted by their name
 */
export function answerError(paths: readonly string[], { requests }: Metrics, log: Log): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, next) => {
    const { status, message } = answerFor(error);
    // Anybody may ask for any path; metrics have a few.
    const path = paths.includes(request.path) ? request.path : 'other';
    requests.inc({ path, verdict: status >= 500 ? 'failed' : 'malformed' });
    if (status === 500) log.error({ path, err: error }, 'a request failed');
    else log.info({ path, status, message }, 'a request was not served');
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(status).type('text').send(`${message}\n`);
  };
}

function answerFor(error: unknown): { status: number; message: string } {
  if (error instanceof MalformedReview) return { status: 400, message: error.message };
  if (error instanceof UnsupportedBody) return { status: 415, message: error.message };
  if (error instanceof NotReady) return { status: 503, message: error.message };
  const status = statusOf(error);
  if (status !== undefined) return { status, message: MESSAGES[status] ?? 'the body cannot be read' };
  return { status: 500, message: 'the webhook failed; its log says why' };
}

/** What the reading of the body says; its own messages quote the body. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: 'the body is no JSON object',
  413: 'the body is larger than 8 MiB',
  415: 'the body is compressed: send it as it is',
};

function statusOf(error: unknown): number | undefined {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
