import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { type ConnectionConfig, type Credentials, impersonationHeaders } from './connection.ts';
import { credentialsOf } from './credentials.ts';
import { ConnectionError, KubeError, ProtocolError } from './errors.ts';
import { jsonLines, parseJson } from './jsonLines.ts';
import { statusError } from './status.ts';
import {
  type ApiRequest,
  type ApiResponse,
  describeRequest,
  type ResponseHeaders,
  type Transport,
} from './transport.ts';

export interface UndiciTransportOptions {
  /** `convoy/1.2.3 (controller)`. */
  userAgent: string;
  /** Connections for requests; watches have their own, one each. */
  connections?: number;
  /** Where a request sets none; the API server itself gives up after 60 s. */
  timeoutMs?: number;
  connectTimeoutMs?: number;
  /** Larger answers are refused. */
  maxBodyBytes?: number;
  /** Longer lines of a stream are refused. */
  maxLineBytes?: number;
  /** Milliseconds on a scale that never goes back. */
  now?: () => number;
}

const MIB = 1024 * 1024;
const DEFAULTS = {
  connections: 32,
  timeoutMs: 65_000,
  connectTimeoutMs: 10_000,
  maxBodyBytes: 128 * MIB,
  maxLineBytes: 16 * MIB,
  now: () => performance.now(),
};

/** An error's answer is a metav1.Status. */
const MAX_ERROR_BYTES = 4 * MIB;

/** The API server closes idle connections after 90 s: we do so before it does, lest a request meet a closing one. */
const KEEP_ALIVE_MS = 60_000;

interface Answer {
  status: number;
  headers: ResponseHeaders;
  body: Dispatcher.ResponseData['body'];
}

/** HTTP/1.1 over kept-alive connections, bounded for requests, one each for streams. */
export class UndiciTransport implements Transport {
  readonly #options: Required<UndiciTransportOptions>;
  readonly #credentials: Credentials;
  readonly #requests: Dispatcher;
  readonly #streams: Dispatcher;
  readonly #origin: string;
  readonly #pathPrefix: string;
  readonly #headers: Record<string, string | string[]>;

  /** Throws TypeError for a server that is no URL. Connects when first used. */
  constructor(config: ConnectionConfig, options: UndiciTransportOptions) {
    const server = new URL(config.server);
    this.#options = { ...DEFAULTS, ...options };
    this.#origin = server.origin;
    this.#pathPrefix = server.pathname.replace(/\/+$/, '');
    this.#credentials = credentialsOf(config, this.#options.now);
    this.#headers = { 'user-agent': this.#options.userAgent, ...impersonationHeaders(config.impersonate) };
    this.#requests = dispatcher(
      config,
      this.#origin,
      this.#options.connections,
      this.#options.connectTimeoutMs,
    );
    this.#streams = dispatcher(config, this.#origin, null, this.#options.connectTimeoutMs);
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const answer = await this.#exchange(this.#requests, request);
    const deadlineMs = request.timeoutMs ?? this.#options.timeoutMs;
    const parts = await this.#readBody(answer, request, this.#options.maxBodyBytes, deadlineMs);
    return {
      status: answer.status,
      headers: answer.headers,
      body: parsedBody(request, answer.headers, parts),
    };
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<unknown>> {
    const answer = await this.#exchange(this.#streams, request);
    return this.#lines(answer, request);
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.destroy(), this.#streams.destroy()]);
  }

  /** Sends, and once more with renewed credentials where those were refused. Throws the refusals. */
  async #exchange(via: Dispatcher, request: ApiRequest, renewed = false): Promise<Answer> {
    const answer = await this.#send(via, request, bodyText(request.body));
    if (answer.status < 400) return answer;
    const parts = await this.#readBody(answer, request, MAX_ERROR_BYTES, this.#options.timeoutMs);
    if (answer.status === 401 && !renewed && (await this.#credentials.renew()))
      return await this.#exchange(via, request, true);
    throw statusError(describeRequest(request), answer.status, refusalBody(parts), answer.headers);
  }

  async #send(via: Dispatcher, request: ApiRequest, body: string | undefined): Promise<Answer> {
    const authorization = await this.#credentials.authorization();
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs;
    const headers: Record<string, string | string[]> = {
      accept: request.accept ?? 'application/json',
      ...this.#headers,
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...request.headers,
    };
    try {
      const {
        statusCode,
        headers: answered,
        body: content,
      } = await via.request({
        origin: this.#origin,
        path: this.#pathPrefix + request.path + queryText(request.query),
        method: request.method,
        headers,
        body: body ?? null,
        signal: request.signal ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: via === this.#streams ? 0 : timeoutMs,
      });
      return { status: statusCode, headers: answered, body: content };
    } catch (error) {
      throw failure(error, request);
    }
  }

  async #readBody(
    { body }: Answer,
    request: ApiRequest,
    maxBytes: number,
    deadlineMs: number,
  ): Promise<Uint8Array[]> {
    const late = new ConnectionError(
      describeRequest(request),
      new Error(`the answer was not complete within ${deadlineMs} ms`),
    );
    const timer = setTimeout(() => body.destroy(late), deadlineMs);
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.length;
        if (size > maxBytes)
          throw new ProtocolError(`${describeRequest(request)}: the answer is larger than ${maxBytes} bytes`);
        parts.push(chunk);
      }
      return parts;
    } catch (error) {
      throw failure(error, request);
    } finally {
      clearTimeout(timer);
    }
  }

  async *#lines({ body }: Answer, request: ApiRequest): AsyncGenerator<unknown, void, undefined> {
    try {
      yield* jsonLines(body as AsyncIterable<Uint8Array>, this.#options.maxLineBytes);
    } catch (error) {
      throw failure(error, request);
    } finally {
      body.destroy();
    }
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
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  };
  if (config.proxyUrl !== undefined)
    return new ProxyAgent({ ...common, uri: config.proxyUrl, requestTls: tls });
  return new Pool(origin, { ...common, connectTimeout: connectTimeoutMs, connect: tls });
}

function bodyText(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

function queryText(query: ApiRequest['query'] = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function parsedBody(request: ApiRequest, headers: ResponseHeaders, parts: Uint8Array[]): unknown {
  if (parts.length === 0) return undefined;
  const type = headers['content-type'];
  if (typeof type !== 'string' || !type.startsWith('application/json'))
    return Buffer.concat(parts).toString('utf8');
  try {
    return parseJson(parts);
  } catch (error) {
    throw failure(error, request);
  }
}

/** A refusal may come from a proxy in between, whatever its content type claims. */
function refusalBody(parts: Uint8Array[]): unknown {
  try {
    return parseJson(parts);
  } catch {
    return Buffer.concat(parts).toString('utf8');
  }
}

/** What the caller is told: the reason of its own signal, our own errors as they are, all else as a lost connection. */
function failure(error: unknown, request: ApiRequest): unknown {
  if (request.signal?.aborted === true) return request.signal.reason;
  if (error instanceof ProtocolError && !error.message.startsWith(request.method)) {
    return new ProtocolError(`${describeRequest(request)}: ${error.message}`, { cause: error });
  }
  if (error instanceof KubeError || isMisuse(error)) return error;
  return new ConnectionError(describeRequest(request), error);
}

/** A request that undici refuses to send, such as a header with a line break: no network was involved. */
function isMisuse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
}
