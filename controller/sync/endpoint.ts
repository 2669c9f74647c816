import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Budget } from '../../kube/budget.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { Log } from '../log.ts';
import { authenticate, mayUpdate } from './caller.ts';
import { ReleaseGoing, requestSync } from './requestSync.ts';

/** What an HTTP request is answered with; the body is sent as JSON. */
export interface SyncAnswer {
  status: number;
  body: { id: string; joined: boolean } | { error: string };
  headers?: Record<string, string>;
}

/** Before anybody is known: each call costs the API server a TokenReview. */
const PER_ADDRESS = { burst: 100, perMinute: 600 };
const PER_CALLER = { burst: 20, perMinute: 60 };
const KEYS = 10_000;
const RETRY_AFTER_SECONDS = 2;

const NAME = '[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?';
const PATH = new RegExp(`^/sync/(${NAME})/(${NAME})$`);
const BEARER = /^Bearer +([-A-Za-z0-9._~+/]+=*)$/i;

interface EndpointOptions {
  client: KubeClient;
  log: Log;
  now: () => Date;
}

/**
 * `POST /sync/NAMESPACE/NAME[?force=true]`: asks for a sync of a Release in the name of whoever may update it, known by
 * a bearer token of the cluster (rollout.md, "Sync requests").
 */
export class SyncEndpoint {
  readonly #options: EndpointOptions;
  readonly #addresses = new Budget(PER_ADDRESS, KEYS);
  readonly #callers = new Budget(PER_CALLER, KEYS);

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage): Promise<SyncAnswer> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, namespace, name] = PATH.exec(url.pathname) ?? [];
    if (namespace === undefined || name === undefined)
      return failure(404, 'the path is /sync/NAMESPACE/NAME, with ?force=true for a forced sync');
    if (request.method !== 'POST')
      return { ...failure(405, 'a sync is asked for by POST'), headers: { allow: 'POST' } };
    const force = url.searchParams.get('force') ?? 'false';
    if (force !== 'true' && force !== 'false') return failure(400, 'force is true or false');
    if (!this.#addresses.take(request.socket.remoteAddress ?? '', this.#now())) return tooMany();
    try {
      return await this.#ask(request.headers.authorization, { namespace, name }, force === 'true');
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #ask(authorization: string | undefined, at: ObjectName, force: boolean): Promise<SyncAnswer> {
    const { client, log } = this.#options;
    const [, token] = BEARER.exec(authorization ?? '') ?? [];
    if (token === undefined) return unauthorised('send a token of this cluster: Authorization: Bearer TOKEN');
    const caller = await authenticate(client, token);
    if (caller === undefined) return unauthorised('this cluster does not know the token, or it has expired');
    const { username: by } = caller;
    if (!this.#callers.take(by, this.#now())) return tooMany();
    if (!(await mayUpdate(client, caller, at)))
      return failure(
        403,
        `${by} may not update ${nameOf(at)}: grant the verb update on releases.core.convoy.kumodo.io`,
      );
    const { request, joined } = await requestSync(client, at, { id: randomUUID(), force, by });
    log.info(
      { release: `${at.namespace ?? ''}/${at.name}`, request: request.id, by, force },
      'a sync was asked for',
    );
    return { status: 202, body: { id: request.id, joined } };
  }

  #failed(error: unknown): SyncAnswer {
    if (isNotFound(error)) return failure(404, error.serverMessage);
    if (error instanceof ReleaseGoing) return failure(409, error.message);
    this.#options.log.warn({ err: error }, 'a sync could not be asked for');
    return failure(503, 'the API server could not be asked: try again, and see the log of the controller');
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}

function failure(status: number, error: string): SyncAnswer {
  return { status, body: { error } };
}

function unauthorised(error: string): SyncAnswer {
  return { ...failure(401, error), headers: { 'www-authenticate': 'Bearer' } };
}

function tooMany(): SyncAnswer {
  return {
    ...failure(429, 'too many requests: try again later'),
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  };
}

function nameOf({ namespace = '', name }: ObjectName): string {
  return `Release ${name} in namespace ${namespace}`;
}
