import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../../kube/errors.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { CollectionServer } from './reflectorServer.ts';

/** A collection behind a real HTTP server, whose sockets a test can spoil. */
export interface CollectionOverHttp {
  collection: CollectionServer;
  http: HttpServer;
  /** Sends the beginning of an event on each watch, cuts the connection and waits until it is closed. */
  cutInTheMiddle: () => Promise<void>;
}

export async function serveCollection(): Promise<CollectionOverHttp> {
  const collection = new CollectionServer();
  const watching = new Set<ServerResponse>();
  const http = await HttpServer.start((request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams;
    const answered = query.get('watch') === 'true' ? watch(query, response) : list(query, response);
    answered.catch((error: unknown) => refuse(response, error));
  });

  async function list(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const token = query.get('continue');
    const page = await collection.list({
      ...(query.has('limit') ? { limit: Number(query.get('limit')) } : {}),
      ...(token === null ? {} : { continue: token }),
    });
    const { items, ...metadata } = page;
    sendJson(response, 200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items });
  }

  async function watch(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => {
      watching.delete(response);
      gone.abort();
    });
    const events = collection.watch({
      resourceVersion: query.get('resourceVersion') ?? '',
      sendInitialEvents: query.get('sendInitialEvents') === 'true',
      signal: gone.signal,
    });
    let next = events.next();
    // A refusal comes at once; without one the answer begins before there is an event.
    await Promise.race([next, nextTurn()]);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    watching.add(response);
    for (let step = await next; step.done !== true; step = await next) {
      response.write(`${JSON.stringify(step.value)}\n`);
      next = events.next();
    }
    response.end();
  }

  return {
    collection,
    http,
    cutInTheMiddle: async () => {
      const closed = [...watching].map((response) => once(response, 'close'));
      for (const response of watching)
        response.write('{"type":"ADDED","object":{"metad', () => response.destroy());
      await Promise.all(closed);
    },
  };
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent || !(error instanceof ApiError)) {
    response.destroy();
    return;
  }
  const retryAfter =
    error.retryAfterMs === undefined ? {} : { 'retry-after': String(error.retryAfterMs / 1000) };
  sendJson(response, error.status, status(error.status, error.reason, error.serverMessage), retryAfter);
}
