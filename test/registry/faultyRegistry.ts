import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Answers a request in the registry's place. @returns false where the registry itself is to answer */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A registry behind a proxy that has faults and asks for credentials, as a registry on loopback does not. */
export class FaultyRegistry {
  readonly host: string;
  /** `METHOD path` of what came, in order. */
  readonly received: string[] = [];

  private constructor(host: string) {
    this.host = host;
  }

  /** @param behind URL of the real registry */
  static async start(behind: string, fault: Fault = () => false): Promise<FaultyRegistry> {
    const server = createServer((request, response) => {
      started.received.push(`${request.method ?? ''} ${(request.url ?? '').split('?', 1).join('')}`);
      if (!fault(request, response)) void forward(behind, request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const started = new FaultyRegistry(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return started;
  }
}

async function forward(behind: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const type = request.headers['content-type'];
  const answer = await fetch(`${behind}${url}`, {
    method,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(method === 'PUT' || method === 'POST' ? { body: new Uint8Array(await buffer(request)) } : {}),
  });
  const kept = ['location', 'docker-content-digest', 'content-type', 'link'];
  const headers = kept.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, Object.fromEntries(headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Answers as a registry does that does not do what it is asked. */
export function refuse(
  response: ServerResponse,
  status: number,
  { code = 'DENIED', message = '', headers = {} } = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ errors: [{ code, message }] }));
  return true;
}
