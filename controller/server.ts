import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { SyncEndpoint } from './sync/endpoint.ts';

export interface Health {
  /** Why the process cannot do its work still; undefined: it can. */
  notReady: () => string | undefined;
  registry: Registry;
}

export interface Pages extends Health {
  sync: SyncEndpoint;
}

/**
 * Serves `/healthz`, `/readyz`, `/metrics` and `/sync`.
 * @param address `host:port`; port 0 takes a free one
 * @returns the server and the URL that it listens on
 */
export async function serve(address: string, pages: Pages): Promise<{ server: Server; url: string }> {
  const [host, port] = splitAddress(address);
  const server = createServer((request, response) => {
    void answer(request, pages, response);
  });
  const listening = Promise.withResolvers<undefined>();
  server.once('error', listening.reject);
  server.listen(Number(port), host, () => listening.resolve(undefined));
  await listening.promise;
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}` };
}

async function answer(request: IncomingMessage, pages: Pages, response: ServerResponse): Promise<void> {
  // Nothing is read from a body; what was sent of one makes room.
  request.resume();
  const [path = ''] = (request.url ?? '/').split('?');
  if (path.startsWith('/sync/')) {
    const { status, body, headers = {} } = await pages.sync.answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(`${JSON.stringify(body)}\n`);
    return;
  }
  const { status, body, type = 'text/plain; charset=utf-8' } = await pageFor(path, pages);
  response.writeHead(status, { 'content-type': type });
  response.end(`${body}\n`);
}

async function pageFor(
  path: string,
  { notReady, registry }: Health,
): Promise<{ status: number; body: string; type?: string }> {
  const trouble = notReady();
  switch (path) {
    case '/healthz':
      return { status: 200, body: 'ok' };
    case '/readyz':
      return trouble === undefined ? { status: 200, body: 'ok' } : { status: 503, body: trouble };
    case '/metrics':
      return { status: 200, body: await registry.metrics(), type: registry.contentType };
    default:
      return { status: 404, body: 'there is /healthz, /readyz, /metrics and /sync/NAMESPACE/NAME' };
  }
}

function splitAddress(address: string): [string, string] {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), address.slice(colon + 1)];
}
