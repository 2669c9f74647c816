import { Redaction } from '../../engine/source/redaction.ts';
import { parseChallenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { RegistryError, remedyFor } from './errors.ts';
import { isLoopback } from './reference.ts';
import type { Answer } from './wire.ts';

export interface AuthorizerOptions {
  /** Names the registry in messages. */
  host: string;
  /** Read anew at each challenge; undefined: anonymous. */
  credentials: () => Promise<Credentials | undefined>;
  /** Asks for a token. */
  fetchToken: (url: URL, headers: Record<string, string>) => Promise<Answer>;
  /** Tokens may be asked for without TLS. */
  plainHttp: boolean;
}

/** Answers the challenges of one registry: `Bearer`, by a token of its token service, and `Basic`. */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  #redaction = new Redaction();
  #header: string | undefined;

  constructor(options: AuthorizerOptions) {
    this.#options = options;
  }

  /** The header of a request, from the last challenge. */
  get header(): Record<string, string> {
    return this.#header === undefined ? {} : { authorization: this.#header };
  }

  /** What a registry says, without the password and the token. */
  told(words: string): string {
    return this.#redaction.apply(words);
  }

  /**
   * Answers a challenge.
   * @param challenge `WWW-Authenticate`
   * @returns the header with which the request is to be sent again
   * @throws RegistryError where it cannot be answered
   */
  async answer(challenge: string): Promise<Record<string, string>> {
    const { scheme = '', parameters = {} } = parseChallenge(challenge) ?? {};
    const credentials = await this.#options.credentials();
    this.#redaction = new Redaction();
    if (credentials !== undefined) this.#hide(credentials);
    if (scheme === 'bearer') this.#header = `Bearer ${await this.#token(parameters, credentials)}`;
    else if (scheme === 'basic') this.#header = basic(this.#needed(credentials));
    else
      throw new RegistryError(
        `registry ${this.#options.host} asks for authentication by "${scheme}", and Bearer and Basic are known`,
        { status: 401 },
      );
    return this.header;
  }

  #needed(credentials: Credentials | undefined): Credentials {
    if (credentials !== undefined) return credentials;
    throw new RegistryError(
      `registry ${this.#options.host} asks for a user name and a password: put them into the credentials file`,
      { status: 401 },
    );
  }

  async #token(
    { realm = '', service, scope }: Readonly<Record<string, string>>,
    credentials: Credentials | undefined,
  ): Promise<string> {
    const { host, fetchToken } = this.#options;
    const url = this.#realm(realm);
    if (service !== undefined) url.searchParams.set('service', service);
    for (const one of scope?.split(' ') ?? []) url.searchParams.append('scope', one);
    const headers = credentials === undefined ? {} : { authorization: basic(credentials) };
    const { status, body } = await fetchToken(url, { accept: 'application/json', ...headers });
    const from = `registry ${host}: its token service ${url.origin}${url.pathname}`;
    if (status !== 200)
      throw new RegistryError(`${from} answers ${status}: ${remedyFor(status)}`, { status });
    const token = tokenIn(body);
    if (token === undefined) throw new RegistryError(`${from} sends no token: see its log`);
    this.#redaction.hide([token]);
    return token;
  }

  #realm(realm: string): URL {
    const url = URL.parse(realm);
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && this.#allowsPlain(url.host));
    if (url !== null && isSafe) return url;
    throw new RegistryError(
      `registry ${this.#options.host} names a token service that is not asked, since it is no HTTPS address`,
    );
  }

  #allowsPlain(host: string): boolean {
    return this.#options.plainHttp || isLoopback(host);
  }

  #hide({ username, password }: Credentials): void {
    this.#redaction.hide([password, `${username}:${password}`]);
  }
}

function basic({ username, password }: Credentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function tokenIn(body: Buffer): string | undefined {
  try {
    const answer = JSON.parse(body.toString('utf8')) as { token?: unknown; access_token?: unknown };
    const token = answer.token ?? answer.access_token;
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
