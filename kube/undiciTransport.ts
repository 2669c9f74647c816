import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { ConnectionConfig } from './connection.ts';
import {
  type ExchangeOptions,
  HttpExchange,
  type Wire,
  type WireAnswer,
  type WireMessage,
} from './httpExchange.ts';
import { UndiciAnswer } from './undiciAnswer.ts';

export interface UndiciTransportOptions extends ExchangeOptions {
  /** Connections for requests; streams have their own, one each. */
  connections?: number;
  connectTimeoutMs?: number;
}

/** The API server closes idle connections after 90 s: we do so before it does, lest a request meet a closing one. */
const KEEP_ALIVE_MS = 60_000;

/**
 * HTTP/1.1 by undici for programs that live long: kept-alive connections, bounded for requests, one each for streams.
 * HTTP/2 measured no faster. The constructor throws TypeError for a server that is no URL; it connects when first used.
 */
export class UndiciTransport extends HttpExchange {
  constructor(config: ConnectionConfig, options: UndiciTransportOptions) {
    super(new UndiciWire(config, options), config, options);
  }
}

class UndiciWire implements Wire {
  readonly #origin: string;
  readonly #requests: Dispatcher;
  readonly #streams: Dispatcher;

  constructor(
    config: ConnectionConfig,
    { connections = 32, connectTimeoutMs = 10_000 }: UndiciTransportOptions,
  ) {
    this.#origin = new URL(config.server).origin;
    this.#requests = dispatcher(config, this.#origin, connections, connectTimeoutMs);
    this.#streams = dispatcher(config, this.#origin, null, connectTimeoutMs);
  }

  async send(message: WireMessage): Promise<WireAnswer> {
    const { method, path, headers, body, signal, timeoutMs, isStream } = message;
    const request = {
      origin: this.#origin,
      path,
      method,
      headers,
      body: body ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: isStream ? 0 : timeoutMs,
      // undici closes the connection after a DELETE with a body, unless it is told not to.
      reset: false,
    };
    if (isStream) {
      const answer = await this.#streams.request({ ...request, signal: signal ?? null });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    }
    signal?.throwIfAborted();
    const answer = new UndiciAnswer(signal);
    this.#requests.dispatch(request, answer);
    return await answer.head;
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#streams.destroy()]);
  }
}

function dispatcher(
  config: ConnectionConfig,
  origin: string,
  connections: number | null,
  connectTimeoutMs: number,
): Dispatcher {
  const tls = {
    ...(config.caPem === undefined ? {} : { ca: config.caPem }),
    ...(config.certPem === undefined ? {} : { cert: config.certPem }),
    ...(config.keyPem === undefined ? {} : { key: config.keyPem }),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
    rejectUnauthorized: config.insecure !== true,
  };
  const common = {
    connections,
    connectTimeout: connectTimeoutMs,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  if (config.proxyUrl !== undefined)
    return new ProxyAgent({ ...common, uri: config.proxyUrl, requestTls: tls });
  return new Pool(origin, { ...common, connect: tls });
}
