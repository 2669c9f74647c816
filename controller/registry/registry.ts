import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { backoffDelay } from '../../kube/backoff.ts';
import { ConnectionError } from '../../kube/errors.ts';
import { Authorizer } from './authorizer.ts';
import type { Credentials } from './credentials.ts';
import { RegistryError, remedyFor } from './errors.ts';
import type { Repository } from './reference.ts';
import { type Answer, exchange, headerOf, type Message } from './wire.ts';

export interface RegistryOptions {
  repository: Repository;
  /** Read anew at each challenge; undefined: anonymous. */
  credentials: () => Promise<Credentials | undefined>;
  /** Names the programs to the registry. */
  userAgent: string;
  /** For one request with its repetitions (ms). */
  timeoutMs?: number;
  /** How waits between repetitions grow. */
  backoff?: { baseMs: number; maxMs: number };
}

/** A request below `/v2/NAME/`, or to an address that the registry has named. */
interface Request {
  method: Message['method'];
  at: string | URL;
  headers?: Record<string, string>;
  body?: Uint8Array;
  maxBytes?: number;
}

const ATTEMPTS = 4;
const MAX_REDIRECTS = 5;
const CONNECT_MS = 10_000;
const TIMEOUT_MS = 5 * 60_000;
const BACKOFF = { baseMs: 500, maxMs: 8_000 };
/** Answers that are no content (bytes). */
const MAX_ANSWER = 4 * 1024 * 1024;
/** What a message shows of what a registry says. */
const MAX_WORDS = 300;

/**
 * One repository of an OCI registry (distribution specification 1.1). Each request is repeated where that may help: no answer,
 * 429 and 5xx. Errors are RegistryErrors and tell neither credentials nor content.
 */
export class Registry {
  readonly repository: Repository;
  readonly #options: RegistryOptions;
  readonly #agent = new Agent({ connectTimeout: CONNECT_MS, allowH2: false });
  readonly #authorizer: Authorizer;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.repository = options.repository;
    const { host, origin } = options.repository;
    this.#authorizer = new Authorizer({
      host,
      credentials: options.credentials,
      plainHttp: origin.startsWith('http:'),
      fetchToken: (url, headers) =>
        this.#exchange({ method: 'GET', url, headers, signal: this.#limit(), maxBytes: MAX_ANSWER }),
    });
  }

  /**
   * Sends a request, answers challenges and follows redirects.
   * @param accepted statuses that the caller has use for; any other is an error
   * @throws RegistryError
   */
  async send(request: Request, accepted: readonly number[]): Promise<Answer> {
    const signal = this.#limit();
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.#authorized(request, signal);
        if (accepted.includes(answer.status)) return answer;
        throw this.#refused(request, answer);
      } catch (error) {
        if (attempt + 1 >= ATTEMPTS || !mayHeal(error) || signal.aborted)
          throw this.#told(request, error, signal);
        await delay(backoffDelay(attempt, this.#options.backoff ?? BACKOFF, Math.random));
      }
    }
  }

  /** Where a request goes. */
  urlOf(at: string | URL): URL {
    const { origin, name } = this.repository;
    return at instanceof URL ? at : new URL(`/v2/${name}/${at}`, origin);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #authorized(request: Request, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#redirected(request, this.#authorizer.header, signal);
    const challenge = headerOf(answer, 'www-authenticate');
    if (answer.status !== 401 || challenge === undefined) return answer;
    return await this.#redirected(request, await this.#authorizer.answer(challenge), signal);
  }

  /** Content often lies elsewhere: what goes there has no credentials. */
  async #redirected(
    { method, at, headers, body, maxBytes = MAX_ANSWER }: Request,
    authorization: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Answer> {
    let url = this.urlOf(at);
    for (let redirects = 0; ; redirects++) {
      const own = url.origin === this.repository.origin ? authorization : {};
      const agent = { 'user-agent': this.#options.userAgent };
      const answer = await this.#exchange({
        method,
        url,
        headers: { ...agent, ...headers, ...own },
        ...(body === undefined ? {} : { body }),
        signal,
        maxBytes,
      });
      const location = headerOf(answer, 'location');
      const isRedirect =
        (method === 'GET' || method === 'HEAD') && answer.status >= 301 && answer.status <= 308;
      if (!isRedirect || location === undefined || redirects === MAX_REDIRECTS) return answer;
      url = this.#next(location, url);
    }
  }

  #next(location: string, from: URL): URL {
    const url = URL.parse(location, from.href);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:');
    if (url !== null && isSafe) return url;
    throw new RegistryError(
      `registry ${this.repository.host} redirects to an address that is no HTTPS address`,
    );
  }

  async #exchange(message: Message): Promise<Answer> {
    return await exchange(this.#agent, message);
  }

  #limit(): AbortSignal {
    return AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS);
  }

  #refused(request: Request, answer: Answer): RegistryError {
    const { status } = answer;
    const words = this.#authorizer.told(wordsOf(answer.body)).slice(0, MAX_WORDS);
    const said = words === '' ? '' : ` (${words})`;
    return new RegistryError(
      `${this.#what(request)} is answered with ${status}${said} – ${remedyFor(status)}`,
      {
        status,
      },
    );
  }

  #told(request: Request, error: unknown, signal: AbortSignal): unknown {
    if (error instanceof RegistryError) return error;
    const why = signal.aborted ? 'it takes too long' : reasonOf(error);
    return new RegistryError(
      `${this.#what(request)} failed: ${why} – check the address and the network; it is tried again`,
      { cause: error },
    );
  }

  #what({ method, at }: Request): string {
    const { origin, pathname } = this.urlOf(at);
    return `registry ${this.repository.host}: ${method} ${origin}${pathname}`;
  }
}

/** `sha256:<hex>` */
export function digestOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

function mayHeal(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  const { status = 0 } = error instanceof RegistryError ? error : {};
  return status === 429 || (status >= 500 && status !== 501);
}

/** Without the request, which the message has already. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof ConnectionError ? message.replace(/^\S+ \S+: /, '') : message;
}

/** `errors` of the distribution specification; nothing of any other text, which may be a page. */
function wordsOf(body: Buffer): string {
  try {
    const { errors = [] } = JSON.parse(body.toString('utf8')) as {
      errors?: { code?: string; message?: string }[];
    };
    return errors.map(({ code = '', message = '' }) => `${code} ${message}`.trim()).join('; ');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return '';
  }
}
