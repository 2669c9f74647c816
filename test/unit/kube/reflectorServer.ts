import type { KubeObject } from '../../../api/object.ts';
import type { ListOptions, ListResult, WatchEvent, WatchOptions } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/errors.ts';
import type { ListWatch } from '../../../kube/listWatch.ts';

/** How the server treats one request instead of answering it. `hang`: the connection is open and nothing ever comes. */
export type Fault = Error | 'hang' | 'close';

export function refusal(
  status: number,
  more: { reason?: string; retryAfterMs?: number; cause?: string } = {},
): ApiError {
  return new ApiError({
    status,
    reason: more.reason ?? '',
    serverMessage: 'refused by the script',
    request: 'GET /api/v1/configmaps',
    ...(more.retryAfterMs === undefined ? {} : { retryAfterMs: more.retryAfterMs }),
    ...(more.cause === undefined ? {} : { details: { causes: [{ reason: more.cause }] } }),
  });
}

/** A connection of a watch: what is pushed waits until it is read. */
class Connection implements AsyncIterable<WatchEvent<KubeObject>> {
  readonly #waiting: WatchEvent<KubeObject>[] = [];
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  push(event: WatchEvent<KubeObject>): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** The connection ends once what was pushed is read: cleanly, or with an error. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<KubeObject>, void, undefined> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) {
        yield event;
        continue;
      }
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/**
 * One collection with versions, history and watches as an API server keeps them, whose connections and answers a test
 * can spoil.
 */
export class CollectionServer implements ListWatch<KubeObject> {
  /** All requests, in order. */
  readonly lists: ListOptions[] = [];
  readonly watches: WatchOptions[] = [];
  /** The next requests fail in these ways. */
  readonly listFaults: Fault[] = [];
  readonly watchFaults: Fault[] = [];
  /** Whether it knows `sendInitialEvents`. */
  streaming = true;
  /** Watches whose reader has gone, or that have ended. */
  left = 0;

  #version = 100;
  #uid = 0;
  /** Watches from before this version are refused with 410. */
  #oldest = 0;
  readonly #objects = new Map<string, KubeObject>();
  readonly #history: { version: number; event: WatchEvent<KubeObject> }[] = [];
  readonly #connections = new Set<Connection>();
  readonly #snapshots = new Map<string, KubeObject[]>();

  get version(): string {
    return String(this.#version);
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** The state, as `name@version` in order. */
  state(): string[] {
    return stateOf(this.#objects.values());
  }

  create(name: string): void {
    if (this.#objects.has(name)) return;
    this.#uid += 1;
    this.#write('ADDED', name, { name, namespace: 'shop', uid: `uid-${this.#uid}` });
  }

  update(name: string): void {
    const known = this.#objects.get(name);
    if (known) this.#write('MODIFIED', name, known.metadata);
  }

  remove(name: string): void {
    const known = this.#objects.get(name);
    if (known) this.#write('DELETED', name, known.metadata);
  }

  /** Tells all watches how far they are. */
  bookmark(): void {
    this.#version += 1;
    this.#send({ type: 'BOOKMARK', object: bookmarkAt(this.version) });
  }

  /** Sends an event of the past once more, `back` events before the last. */
  repeat(back = 0): void {
    const event = this.#history.at(-1 - back)?.event;
    if (event) this.#send(structuredClone(event));
  }

  sendRaw(event: WatchEvent<KubeObject>): void {
    this.#send(event);
  }

  /** Ends all watches, cleanly or with an error. */
  cut(error?: Error): void {
    for (const connection of this.#connections) connection.end(error);
    this.#connections.clear();
  }

  /** What happens meanwhile no watch that is open now tells. */
  unseen(work: () => void): void {
    const connections = [...this.#connections];
    this.#connections.clear();
    work();
    for (const connection of connections) this.#connections.add(connection);
  }

  /** All watches stay open and get nothing any more. */
  goHalfOpen(): void {
    this.#connections.clear();
  }

  /** Forgets the history and the snapshots behind continue tokens. */
  compact(): void {
    this.#oldest = this.#version;
    this.#history.length = 0;
    this.#snapshots.clear();
  }

  async list(options: ListOptions): Promise<ListResult<KubeObject>> {
    this.lists.push(options);
    await this.#spoil(this.listFaults.shift());
    if (options.continue !== undefined) return this.#page(options.continue, options.limit ?? Infinity);
    const token = `${this.version}:0`;
    this.#snapshots.set(this.version, structuredClone([...this.#objects.values()]));
    return this.#page(token, options.limit ?? Infinity);
  }

  async *watch(options: WatchOptions): AsyncGenerator<WatchEvent<KubeObject>, void, undefined> {
    this.watches.push(options);
    const fault = this.watchFaults.shift();
    if (fault === 'close') return;
    await this.#spoil(fault);
    const connection = new Connection();
    options.signal?.addEventListener('abort', () => {
      this.#connections.delete(connection);
      connection.end(options.signal?.reason);
    });
    this.#begin(connection, options);
    this.#connections.add(connection);
    try {
      yield* connection;
    } finally {
      this.left += 1;
    }
  }

  #begin(connection: Connection, { resourceVersion, sendInitialEvents }: WatchOptions): void {
    if (sendInitialEvents === true) {
      if (!this.streaming) throw refusal(422, { reason: 'Invalid' });
      for (const object of this.#objects.values())
        connection.push({ type: 'ADDED', object: structuredClone(object) });
      connection.push({
        type: 'BOOKMARK',
        object: bookmarkAt(this.version, { 'k8s.io/initial-events-end': 'true' }),
      });
      return;
    }
    const from = Number(resourceVersion);
    if (from < this.#oldest) throw refusal(410, { reason: 'Expired' });
    for (const { version, event } of this.#history)
      if (version > from) connection.push(structuredClone(event));
  }

  #page(token: string, limit: number): ListResult<KubeObject> {
    const [version = '', start = '0'] = token.split(':');
    const snapshot = this.#snapshots.get(version);
    if (snapshot === undefined) throw refusal(410, { reason: 'Expired' });
    const end = Number(start) + limit;
    return {
      items: structuredClone(snapshot.slice(Number(start), end)),
      resourceVersion: version,
      ...(end < snapshot.length ? { continue: `${version}:${end}` } : {}),
    };
  }

  #write(type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, metadata: KubeObject['metadata']): void {
    this.#version += 1;
    const object = configMap({ ...metadata, resourceVersion: this.version });
    if (type === 'DELETED') this.#objects.delete(name);
    else this.#objects.set(name, object);
    const event = { type, object };
    this.#history.push({ version: this.#version, event });
    this.#send(structuredClone(event));
  }

  #send(event: WatchEvent<KubeObject>): void {
    for (const connection of this.#connections) connection.push(event);
  }

  async #spoil(fault: Fault | undefined): Promise<void> {
    if (fault === 'hang') await new Promise<never>(() => undefined);
    if (fault instanceof Error) throw fault;
  }
}

export function configMap(metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

function bookmarkAt(resourceVersion: string, annotations?: Record<string, string>): KubeObject {
  // A bookmark holds nothing but its version, not even a name.
  const metadata = { resourceVersion, ...(annotations === undefined ? {} : { annotations }) };
  return configMap(metadata as KubeObject['metadata']);
}

/** `name@version` of each object, in order. */
export function stateOf(objects: Iterable<KubeObject>): string[] {
  return Array.from(objects, ({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`).sort();
}
