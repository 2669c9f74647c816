import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { readCredentials } from './kubeconfig.ts';
import type { Credentials } from './kubeconfig.ts';

const BUSY_ATTEMPTS = 30;
const BUSY_PAUSE_MS = 1_000;

/** Any JSON object as an API server sends it; what of it a test needs, the test names. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

export interface Reply {
  status: number;
  body: ApiObject;
}

/**
 * The tests' own way to an API server, independent of the client that is under test: plain requests, and waiting for
 * an object by a watch.
 */
export class ApiAccess {
  readonly #credentials: Credentials;
  readonly #agent: Agent;

  constructor(credentials: Credentials) {
    const { ca, cert, key } = credentials;
    this.#credentials = credentials;
    this.#agent = new Agent({
      connect: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
      bodyTimeout: 0,
    });
  }

  static async fromKubeconfig(path: string): Promise<ApiAccess> {
    return new ApiAccess(await readCredentials(path));
  }

  /** One request; answers of any status are returned, only a failed connection throws. */
  async request(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Reply> {
    const response = await this.#send(method, path, body, signal);
    const text = await response.body.text();
    return {
      status: response.statusCode,
      body: (text.startsWith('{') ? JSON.parse(text) : { text }) as ApiObject,
    };
  }

  /** As `request`, and throws with the server's message on a status of 400 and above. */
  async must(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<ApiObject> {
    const reply = await this.request(method, path, body);
    if (reply.status >= 400)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  /**
   * Waits until an object of a collection satisfies the predicate, by watching it. The watch begins with the objects
   * that exist.
   *
   * @param collection path of the collection, such as `/api/v1/namespaces/x/pods`
   * @param query further query of the watch, such as a field selector
   * @throws Error naming the last state seen, after `timeoutMs`
   */
  async waitFor(
    collection: string,
    predicate: (object: ApiObject) => boolean,
    { timeoutMs = 50_000, query = '' }: { timeoutMs?: number; query?: string } = {},
  ): Promise<ApiObject> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let last: ApiObject | undefined;
    try {
      while (!timeout.aborted) {
        for await (const { type, object } of this.#watch(`${collection}?watch=1&${query}`, timeout)) {
          if (type === 'DELETED') continue;
          last = object;
          if (predicate(object)) return object;
        }
      }
      throw new Error('timed out');
    } catch (error) {
      if (!timeout.aborted) throw error;
      const seen = last === undefined ? 'no object' : JSON.stringify(last, null, 1);
      throw new Error(`${collection}: not what was waited for within ${timeoutMs} ms; last seen: ${seen}`, {
        cause: error,
      });
    }
  }

  /**
   * Tells of the objects of a collection one after another, those that exist first, until the signal aborts.
   * @param seen may be told of the same state more than once
   */
  async follow(
    collection: string,
    seen: (object: ApiObject) => Promise<void> | void,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      for (;;) {
        for await (const { type, object } of this.#watch(`${collection}?watch=1`, signal)) {
          if (type !== 'DELETED') await seen(object);
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Waits for the object of this name to satisfy the predicate. */
  waitForNamed(
    collection: string,
    name: string,
    predicate: (object: ApiObject) => boolean,
    timeoutMs?: number,
  ): Promise<ApiObject> {
    const query = `fieldSelector=metadata.name%3D${encodeURIComponent(name)}`;
    return this.waitFor(collection, predicate, { query, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  /** Waits until no object of this name is left, by a watch from a state in which it was there. */
  async waitForGone(collection: string, name: string, timeoutMs = 30_000): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let last: ApiObject | undefined;
    try {
      for (;;) {
        const { status, body } = await this.request('GET', `${collection}/${name}`, undefined, timeout);
        if (status === 404) return;
        last = body;
        const from = `fieldSelector=metadata.name%3D${name}&resourceVersion=${body.metadata.resourceVersion ?? ''}`;
        for await (const { type } of this.#watch(`${collection}?watch=1&${from}`, timeout)) {
          if (type === 'DELETED') break;
        }
      }
    } catch (error) {
      if (!timeout.aborted) throw error;
      throw new Error(
        `${collection}/${name} is not gone within ${timeoutMs} ms: ${JSON.stringify(last, null, 1)}`,
        {
          cause: error,
        },
      );
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async *#watch(path: string, signal: AbortSignal): AsyncGenerator<{ type: string; object: ApiObject }> {
    const response = await this.#send('GET', path, undefined, signal);
    if (response.statusCode !== 200)
      throw new Error(`GET ${path}: ${response.statusCode} ${await response.body.text()}`);
    for await (const line of lines(response.body)) {
      const event = JSON.parse(line) as { type: string; object: ApiObject };
      if (event.type === 'ERROR') throw new Error(`GET ${path}: ${line}`);
      yield event;
    }
  }

  /** A type whose CRD has just been established answers 429 for a second or two, until its storage is there. */
  async #send(method: Dispatcher.HttpMethod, path: string, body: unknown, signal: AbortSignal | undefined) {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#sendOnce(method, path, body, signal);
      if (response.statusCode !== 429 || attempt === BUSY_ATTEMPTS) return response;
      await response.body.dump();
      await delay(BUSY_PAUSE_MS, undefined, signal === undefined ? {} : { signal });
    }
  }

  #sendOnce(method: Dispatcher.HttpMethod, path: string, body: unknown, signal: AbortSignal | undefined) {
    const { url, token } = this.#credentials;
    return request(url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }
}

async function* lines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
