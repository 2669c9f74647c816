import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as it came over the wire. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** Header lines as they were sent, repeated ones apart. */
  lines: [string, string][];
  body: string;
}

export type Handler = (request: Received, response: ServerResponse) => void;

/** A real HTTP server on loopback for faults that no API server makes on demand. Ends with the test. */
export class HttpServer {
  readonly received: Received[] = [];
  readonly sockets = new Set<Socket>();
  /** Connections that were ever opened. */
  opened = 0;
  /** Set once it listens, kept after it stopped. */
  url = '';
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(handler: Handler): Promise<HttpServer> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const received = receivedOf(request, body);
        started.received.push(received);
        handler(received, response);
      });
    });
    const started = new HttpServer(server);
    server.on('connection', (socket) => {
      started.opened++;
      started.sockets.add(socket);
      socket.on('close', () => started.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(() => started.stop());
    return started;
  }

  /** Refuses connections from now on and cuts those that are open. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function receivedOf(request: IncomingMessage, body: string): Received {
  const { method = '', url = '', headers, rawHeaders } = request;
  const lines: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    lines.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return { method, url, headers, lines, body };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** metav1.Status as an API server sends it with a refusal. */
export function status(
  code: number,
  reason: string,
  message: string,
  details?: unknown,
): Record<string, unknown> {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message,
    details,
  };
}
