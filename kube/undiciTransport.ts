import { type Dispatcher, errors, Pool, ProxyAgent } from 'undici';
import type { ConnectionConfig } from './connection.ts';
import { lookupElsewhere, refuseLocalUrl } from './localAddress.ts';
import {
  type ExchangeOptions,
  HttpExchange,
  type Wire,
  type WireAnswer,
  type WireMessage,
} from './httpExchange.ts';
import { UndiciAnswer } from './undiciAnswer.ts';
import { SilenceError } from './watchdog.ts';

export interface UndiciTransportOptions extends ExchangeOptions {
  /** Connections for requests; streams have their own, one each. */
  connections?: number;
  connectTimeoutMs?: number;
  /** How long to wait for an answer before the request is sent once more, on another connection; 15 s. */
  patienceMs?: number;
  /** Never connect to the machine itself: whoever gave the configuration would reach what only that may reach. */
  elsewhere?: boolean;
}

/** The API server closes idle connections after 90 s: we do so before it does, lest a request meet a closing one. */
const KEEP_ALIVE_MS = 60_000;
/** A connection may die unseen (a proxy hangs, a router forgets it), and a request would wait on it in vain. */
const PATIENCE_MS = 15_000;

/**
 * HTTP/1.1 by undici for programs that live long: kept-alive connections, bounded for requests, one each for streams.
 * HTTP/2 measured no faster. Where one connection carries nothing any more, others have mostly died with it: then all that
 * comes goes over new ones. A request that stays without an answer is given up and sent once more that way; a create that was carried out nevertheless is refused as AlreadyExists then. The constructor throws TypeError
 * for a server that is no URL, LocalAddressError for one that must be elsewhere and is not; it connects when first used.
 */
export class UndiciTransport extends HttpExchange {
  constructor(config: ConnectionConfig, options: UndiciTransportOptions) {
    super(new UndiciWire(config, options), config, options);
  }
}

class UndiciWire implements Wire {
  readonly #origin: string;
  readonly #open: () => Pools;
  readonly #patienceMs: number;
  #pools: Pools;
  /** Given up, with what is in flight on them still. */
  readonly #retired = new Set<Pools>();

  constructor(
    config: ConnectionConfig,
    {
      connections = 32,
      connectTimeoutMs = 10_000,
      patienceMs = PATIENCE_MS,
      elsewhere = false,
    }: UndiciTransportOptions,
  ) {
    if (elsewhere) refuseLocalUrl(config.server);
    this.#patienceMs = patienceMs;
    this.#origin = new URL(config.server).origin;
    const limits = { connectTimeoutMs, elsewhere };
    this.#open = () => ({
      requests: dispatcher(config, this.#origin, connections, limits),
      streams: dispatcher(config, this.#origin, null, limits),
    });
    this.#pools = this.#open();
  }

  async send(message: WireMessage): Promise<WireAnswer> {
    const { isStream, timeoutMs } = message;
    const pools = this.#pools;
    if (isStream) return await this.#stream(message, pools);
    if (timeoutMs <= this.#patienceMs) return await this.#send(message, pools);
    try {
      return await this.#send({ ...message, timeoutMs: this.#patienceMs }, pools);
    } catch (error) {
      if (!(error instanceof errors.HeadersTimeoutError)) throw error;
      this.#giveUp(pools);
      return await this.#send(message, this.#pools);
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.#pools, ...this.#retired].flatMap(({ requests, streams }) => [
        requests.destroy(),
        streams.destroy(),
      ]),
    );
  }

  async #stream(message: WireMessage, pools: Pools): Promise<WireAnswer> {
    const { signal, checkBeforeSend } = message;
    signal?.addEventListener(
      'abort',
      () => {
        if (signal.reason instanceof SilenceError) this.#giveUp(pools);
      },
      { once: true },
    );
    checkBeforeSend?.();
    const answer = await pools.streams.request({ ...this.#requestOf(message), signal: signal ?? null });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  async #send(message: WireMessage, pools: Pools): Promise<WireAnswer> {
    const { signal, checkBeforeSend } = message;
    signal?.throwIfAborted();
    const answer = new UndiciAnswer(signal, checkBeforeSend);
    pools.requests.dispatch(this.#requestOf(message), answer);
    return await answer.head;
  }

  #requestOf({ method, path, headers, body, timeoutMs, isStream }: WireMessage) {
    return {
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
  }

  /** What is in flight on them may come to its end. Whoever finds the same of them later finds them replaced. */
  #giveUp(pools: Pools): void {
    if (pools !== this.#pools) return;
    this.#pools = this.#open();
    this.#retired.add(pools);
    void Promise.allSettled([pools.requests.close(), pools.streams.close()]).then(() =>
      this.#retired.delete(pools),
    );
  }
}

/** Those for streams are apart, so that they hold up no request. */
interface Pools {
  requests: Dispatcher;
  streams: Dispatcher;
}

function dispatcher(
  config: ConnectionConfig,
  origin: string,
  connections: number | null,
  { connectTimeoutMs, elsewhere }: { connectTimeoutMs: number; elsewhere: boolean },
): Dispatcher {
  const tls = {
    ...(config.caPem === undefined ? {} : { ca: config.caPem }),
    ...(config.certPem === undefined ? {} : { cert: config.certPem }),
    ...(config.keyPem === undefined ? {} : { key: config.keyPem }),
    ...(config.serverName === undefined ? {} : { servername: config.serverName }),
    rejectUnauthorized: config.insecure !== true,
    ...(elsewhere ? { lookup: lookupElsewhere } : {}),
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
