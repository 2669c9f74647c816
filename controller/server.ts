import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface Health {
  /** The process works and its reflectors have their first state. */
  ready: () => boolean;
  registry: Registry;
}

/**
 * Serves `/healthz`, `/readyz` and `/metrics`.
 * @param address `host:port`; port 0 takes a free one
 * @returns the server and the URL that it listens on
 */
export async function serve(address: string, health: Health): Promise<{ server: Server; url: string }> {
  const [host = '', port = ''] = splitAddress(address);
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', health, response);
  });
  const listening = Promise.withResolvers<undefined>();
  server.once('error', listening.reject);
  server.listen(Number(port), host, () => listening.resolve(undefined));
  await listening.promise;
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}` };
}

async function answer(url: string, { ready, registry }: Health, response: ServerResponse): Promise<void> {
  switch (url.split('?')[0]) {
    case '/healthz':
      return send(response, 200, 'ok');
    case '/readyz':
      return ready() ? send(response, 200, 'ok') : send(response, 503, 'the first list of Releases is not complete yet');
    case '/metrics':
      return send(response, 200, await registry.metrics(), registry.contentType);
    default:
      return send(response, 404, 'there is /healthz, /readyz and /metrics');
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(`${body}\n`);
}

function splitAddress(address: string): [string, string] {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), address.slice(colon + 1)];
}
