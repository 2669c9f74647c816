import {
  type ConnectionConfig,
  type Credentials,
  type Impersonation,
  impersonationHeaders,
} from './connection.ts';
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

/** One request as it goes over the wire. */
export interface WireMessage {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** Limit for the answer to begin. */
  timeoutMs: number;
  /** Whether the answer is a stream, which must not hold up requests. */
  isStream: boolean;
  /** As of the request. */
  checkBeforeSend: (() => void) | undefined;
}

/** The head of an answer, and its body as it comes. */
export interface WireAnswer {
  status: number;
  /** Names in lower case. */
  headers: ResponseHeaders;
  body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };
}

/** Carries messages to one server. Throws what its library throws: HttpExchange makes sense of it. */
export interface Wire {
  send(message: WireMessage): Promise<WireAnswer>;
  close(): Promise<void>;
}

export interface ExchangeOptions {
  /** `convoy/1.2.3 (controller)`. */
  userAgent: string;
  /** Where a request sets none; the API server itself gives up after 60 s. */
  timeoutMs?: number;
  /** Larger answers are refused. */
  maxBodyBytes?: number;
  /** Longer lines of a stream are refused. */
  maxLineBytes?: number;
  /** Milliseconds on a scale that never goes back. */
  now?: () => number;
}

const MIB = 1024 * 1024;
const DEFAULTS = {
  timeoutMs: 65_000,
  maxBodyBytes: 128 * MIB,
  maxLineBytes: 16 * MIB,
  now: () => performance.now(),
};

/** An error's answer is a metav1.Status. */
const MAX_ERROR_BYTES = 4 * MIB;

/** What every Transport over HTTP does alike: credentials, limits, refusals, JSON; the wire is left to others. */
export class HttpExchange implements Transport {
  readonly #wire: Wire;
  readonly #options: Required<ExchangeOptions>;
  readonly #credentials: Credentials;
  readonly #pathPrefix: string;
  readonly #impersonate: Impersonation | undefined;
  readonly #headers: Record<string, string | string[]>;

  /** Throws TypeError for a server that is no URL. */
  constructor(wire: Wire, config: ConnectionConfig, options: ExchangeOptions) {
    this.#wire = wire;
    this.#options = { ...DEFAULTS, ...options };
    this.#pathPrefix = new URL(config.server).pathname.replace(/\/+$/, '');
    this.#credentials = credentialsOf(config, this.#options.now);
    this.#impersonate = config.impersonate;
    this.#headers = { 'user-agent': this.#options.userAgent };
  }

  async request(request: ApiRequest): Promise<ApiResponse> {
    const answer = await this.#exchange(request, false);
    const deadlineMs = request.timeoutMs ?? this.#options.timeoutMs;
    const parts = await readBody(answer, request, this.#options.maxBodyBytes, deadlineMs);
    const { status, headers } = answer;
    return { status, headers, body: parsedBody(request, headers, parts) };
  }

  async stream(request: ApiRequest): Promise<AsyncIterable<unknown>> {
    return this.#lines(await this.#exchange(request, true), request);
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  /** Sends, and once more with renewed credentials where those were refused. Throws the refusals. */
  async #exchange(request: ApiRequest, isStream: boolean, renewed = false): Promise<WireAnswer> {
    const answer = await this.#send(request, isStream);
    if (answer.status < 400) return answer;
    const parts = await readBody(answer, request, MAX_ERROR_BYTES, this.#options.timeoutMs);
    if (answer.status === 401 && !renewed && (await this.#credentials.renew()))
      return await this.#exchange(request, isStream, true);
    throw statusError(describeRequest(request), answer.status, refusalBody(parts), answer.headers);
  }

  async #send(request: ApiRequest, isStream: boolean): Promise<WireAnswer> {
    request.signal?.throwIfAborted();
    const authorization = await this.#credentials.authorization();
    const body = bodyText(request.body);
    const headers = {
      accept: request.accept ?? 'application/json',
      ...this.#headers,
      ...impersonationHeaders(request.as ?? this.#impersonate),
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
      ...request.headers,
    };
    try {
      return await this.#wire.send({
        method: request.method,
        path: this.#pathPrefix + request.path + queryText(request.query),
        headers,
        body,
        signal: request.signal,
        timeoutMs: request.timeoutMs ?? this.#options.timeoutMs,
        isStream,
        checkBeforeSend: request.checkBeforeSend,
      });
    } catch (error) {
      throw failure(error, request);
    }
  }

  async *#lines({ body }: WireAnswer, request: ApiRequest): AsyncGenerator<unknown, void, undefined> {
    try {
      yield* jsonLines(body, this.#options.maxLineBytes);
    } catch (error) {
      throw failure(error, request);
    } finally {
      body.destroy();
    }
  }
}

async function readBody(
  { body }: WireAnswer,
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
    for await (const chunk of body) {
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

function bodyText(body: unknown): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

function queryText(query: ApiRequest['query'] = {}): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
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

/** A request that the library refuses to send, such as a header with a line break: no network was involved. */
const MISUSE: ReadonlySet<unknown> = new Set([
  'UND_ERR_INVALID_ARG',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
  'ERR_UNESCAPED_CHARACTERS',
]);

function isMisuse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISUSE.has(error.code);
}
