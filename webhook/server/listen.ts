import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../certificates/material.ts';

/** Longer than an API server keeps an idle connection (90 s): it never sends on one that is just being closed. */
const KEEP_ALIVE_MS = 120_000;
/** No API server waits longer for an answer. */
const REQUEST_MS = 30_000;

/** An HTTPS server whose certificate can be replaced while it serves. */
export class SecureServer {
  readonly #server: Server;
  #draining = false;

  constructor(app: RequestListener, { cert, key }: KeyPair) {
    this.#server = createServer({ cert, key, requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS });
    this.#server.on('request', (request, response) => {
      // Whoever sends on shall find another replica the next time.
      if (this.#draining) response.setHeader('connection', 'close');
      app(request, response);
    });
  }

  /** @returns the URL that it listens on; port 0 takes a free one */
  async listen(host: string, port: number): Promise<string> {
    const listening = Promise.withResolvers<undefined>();
    this.#server.once('error', listening.reject);
    this.#server.listen(port, host, () => listening.resolve(undefined));
    await listening.promise;
    const { port: actual } = this.#server.address() as AddressInfo;
    return `https://${host.includes(':') ? `[${host}]` : host}:${actual}`;
  }

  /** New connections get this certificate; those that are open live on. */
  use({ cert, key }: KeyPair): void {
    this.#server.setSecureContext({ cert, key });
  }

  /** Takes no new connection, answers what is under way, and cuts off what is not answered in time. */
  async drain(limitMs: number): Promise<void> {
    this.#draining = true;
    const closed = Promise.withResolvers<undefined>();
    this.#server.close(() => closed.resolve(undefined));
    const limit = setTimeout(() => this.#server.closeAllConnections(), limitMs);
    await closed.promise;
    clearTimeout(limit);
  }
}
