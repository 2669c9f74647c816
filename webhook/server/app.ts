import express, { type Express, type Request, type Response } from 'express';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type AdmissionRequest, readReview } from '../review/admissionReview.ts';
import { reviewResponse, type Verdict } from '../review/verdict.ts';
import { readBody } from './body.ts';
import { answerError } from './errors.ts';

export type Handler = (request: AdmissionRequest) => Verdict | Promise<Verdict>;

export interface AppServices {
  /** By path. */
  handlers: Readonly<Record<string, Handler>>;
  /** Undefined where it is ready; else why not. */
  notReady: () => string | undefined;
  metrics: Metrics;
  log: Log;
}

/** The routes: one for each handler, `/healthz`, `/readyz` and `/metrics`. Whatever is sent, it answers and goes on. */
export function createApp({ handlers, notReady, metrics, log }: AppServices): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (_, response) => void response.type('text').send('ok\n'));
  app.get('/readyz', (_, response) => {
    const why = notReady();
    response
      .status(why === undefined ? 200 : 503)
      .type('text')
      .send(`${why ?? 'ok'}\n`);
  });
  app.get('/metrics', async (_, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  for (const [path, handler] of Object.entries(handlers))
    app.post(path, timed(path, metrics), readBody, review(path, handler, metrics, log));
  app.use((_, response) => void response.status(404).type('text').send('not found\n'));
  app.use(answerError(Object.keys(handlers), metrics, log));
  return app;
}

function timed(path: string, { duration }: Metrics) {
  return (_: Request, response: Response, next: () => void): void => {
    const end = duration.startTimer({ path });
    response.once('close', () => void end());
    next();
  };
}

function review(path: string, handler: Handler, metrics: Metrics, log: Log) {
  return async (request: Request, response: Response): Promise<void> => {
    const asked = readReview(request.body);
    const verdict = await handler(asked);
    metrics.requests.inc({ path, verdict: outcomeOf(verdict) });
    if (!verdict.allowed) log.info({ path, ...described(asked) }, 'refused');
    response.json(reviewResponse(asked.uid, verdict));
  };
}

function outcomeOf(verdict: Verdict): string {
  if (!verdict.allowed) return 'refused';
  if ((verdict.patch ?? []).length > 0) return 'patched';
  return (verdict.warnings ?? []).length > 0 ? 'warned' : 'allowed';
}

/** Who and what, never the content: a source may hold Secrets. */
function described({ uid, user, operation, kind, namespace, name }: AdmissionRequest): object {
  return { uid, user, operation, kind: kind.kind, namespace, name };
}
