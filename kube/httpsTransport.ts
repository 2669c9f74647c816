import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import type { ConnectionConfig } from './connection.ts';
import {
  type ExchangeOptions,
  HttpExchange,
  type Wire,
  type WireAnswer,
  type WireMessage,
} from './httpExchange.ts';
import type { Transport } from './transport.ts';

export interface HttpsTransportOptions extends ExchangeOptions {
  /** Connections for requests; streams have their own, one each. */
  connections?: number;
  connectTimeoutMs?: number;
}

/** The API server closes idle connections after 90 s: we do so before it does, lest a request meet a closing one. */
const KEEP_ALIVE_MS = 60_000;

/**
 * A Transport on Node's own client, for programs that live for one command: it loads in a few milliseconds, where undici
 * takes tens. It knows no proxy.
 * @throws TypeError for a server that is no URL, RangeError for a connection that needs a proxy
 */
export function httpsTransport(config: ConnectionConfig, options: HttpsTransportOptions): Transport {
  if (config.proxyUrl !== undefined) throw new RangeError('node:https does not go through a proxy');
  return new HttpExchange(new HttpsWire(config, options), config, options);
}

class HttpsWire implements Wire {
  readonly #server: URL;
  readonly #requests: HttpAgent;
  readonly #streams: HttpAgent;
  readonly #connectTimeoutMs: number;
  #isClosed = false;

  constructor(
    config: ConnectionConfig,
    { connections = 32, connectTimeoutMs = 10_000 }: HttpsTransportOptions,
  ) {
    this.#server = new URL(config.server);
    this.#requests = agent(config, { maxSockets: connections });
    this.#streams = agent(config, {});
    this.#connectTimeoutMs = connectTimeoutMs;
  }

  send(message: WireMessage): Promise<WireAnswer> {
    if (this.#isClosed) return Promise.reject(new Error('the transport is closed'));
    message.checkBeforeSend?.();
    const isSecure = this.#server.protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)({
      agent: message.isStream ? this.#streams : this.#requests,
      hostname: this.#server.hostname.replace(/^\[|\]$/g, ''),
      port: this.#server.port === '' ? (isSecure ? 443 : 80) : this.#server.port,
      path: message.path,
      method: message.method,
      headers: message.headers,
      ...(message.signal === undefined ? {} : { signal: message.signal }),
    });
    const answer = answerOf(request, message, this.#connectTimeoutMs);
    request.end(message.body);
    return answer;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#requests.destroy();
    this.#streams.destroy();
    return Promise.resolve();
  }
}

function agent(config: ConnectionConfig, limits: { maxSockets?: number }): HttpAgent {
  const common = { ...limits, keepAlive: true, timeout: KEEP_ALIVE_MS };
  if (new URL(config.server).protocol === 'http:') return new HttpAgent(common);
  return new HttpsAgent({
    ...common,
    ...(config.caPem === undefined ? {} : { ca: config.caPem }),
    ...(config.certPem === undefined ? {} : { cert: config.certPem }),
    ...(config.keyPem === undefined ? {} : { key: config.keyPem }),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
    rejectUnauthorized: config.insecure !== true,
  });
}

/** The head of the answer, within the limits: first for the connection, then for the answer to begin. */
function answerOf(
  request: ClientRequest,
  { timeoutMs }: WireMessage,
  connectTimeoutMs: number,
): Promise<WireAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const limit = (ms: number, what: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => request.destroy(new Error(`${what} within ${ms} ms`)), ms);
  };
  const awaitAnswer = (): void => limit(timeoutMs, 'no answer');
  request.once('socket', (socket) => {
    if (!socket.connecting) {
      awaitAnswer();
      return;
    }
    limit(connectTimeoutMs, 'no connection');
    socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', awaitAnswer);
  });
  return new Promise((resolve, reject) => {
    request.once('response', (response: IncomingMessage) => {
      clearTimeout(timer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
