import type { KubeObject } from '../api/object.ts';
import type { KubeClient, ListOptions, ListResult, WatchEvent, WatchOptions } from './client.ts';
import type { Clock } from './clock.ts';
import { isGone, ProtocolError } from './errors.ts';
import type { ApiResource } from './resource.ts';
import { statusError } from './status.ts';
import { Watchdog } from './watchdog.ts';

/** One collection of an API server: what a reflector mirrors. Both honour `options.signal` and throw as Transport does. */
export interface ListWatch<T> {
  list(options: ListOptions): Promise<ListResult<T>>;
  watch(options: WatchOptions): AsyncIterable<WatchEvent<T>>;
}

/** What of a kind to mirror; all where nothing is said. */
export interface Scope {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Mirrors their metadata alone. */
  metadataOnly?: boolean;
}

/** The collection of one kind, through a client. */
export function listWatchOf<T extends KubeObject = KubeObject>(
  client: Pick<KubeClient, 'list' | 'watch'>,
  resource: ApiResource,
  scope: Scope = {},
): ListWatch<T> {
  return {
    list: (options) => client.list<T>(resource, { ...options, ...scope }),
    watch: (options) => client.watch<T>(resource, { ...options, ...scope }),
  };
}

/** Time and limits that every exchange of a reflector shares. */
export interface Exchange {
  clock: Clock;
  /** A page of a list, or the next event or bookmark of a watch, comes within so many milliseconds. */
  silenceMs: number;
  signal: AbortSignal;
}

/** A server that hands out continue tokens for ever must not fill the memory: 5 million objects at 500 a page. */
const MAX_PAGES = 10_000;

/**
 * The whole collection, page by page, as of the first page's resourceVersion. Where the snapshot behind a continue
 * token is gone (410), it lists again without pages, as client-go's pager does. Throws ProtocolError for a list that
 * nothing can be resumed from.
 */
export async function listAll<T extends KubeObject>(
  listWatch: ListWatch<T>,
  pageSize: number,
  exchange: Exchange,
): Promise<ListResult<T>> {
  const first = await listPage(listWatch, { limit: pageSize }, exchange);
  const items = [...first.items];
  let next = first.continue;
  for (let pages = 1; next !== undefined; pages += 1) {
    if (pages >= MAX_PAGES) throw new ProtocolError(`a list does not end after ${MAX_PAGES} pages`);
    const page = await nextPage(listWatch, { limit: pageSize, continue: next }, exchange);
    if (page === 'expired') return await listPage(listWatch, {}, exchange);
    for (const item of page.items) items.push(item);
    next = page.continue;
  }
  return { items, resourceVersion: first.resourceVersion };
}

async function nextPage<T extends KubeObject>(
  listWatch: ListWatch<T>,
  options: ListOptions,
  exchange: Exchange,
): Promise<ListResult<T> | 'expired'> {
  try {
    return await listPage(listWatch, options, exchange);
  } catch (error) {
    if (isGone(error)) return 'expired';
    throw error;
  }
}

async function listPage<T extends KubeObject>(
  listWatch: ListWatch<T>,
  options: ListOptions,
  { clock, silenceMs, signal }: Exchange,
): Promise<ListResult<T>> {
  const watchdog = new Watchdog(clock, silenceMs, 'list', signal);
  try {
    const page = await watchdog.guard(() => listWatch.list({ ...options, signal: watchdog.signal }));
    if (page.resourceVersion === '') throw new ProtocolError('list: the answer has no resourceVersion');
    for (const item of page.items) requireName(item);
    return page;
  } finally {
    watchdog.close();
  }
}

/**
 * The events of one watch until the server ends it. Throws SilenceError when neither event nor bookmark came in time
 * (a half-open connection), ApiError for an ERROR event, ProtocolError for an event without what it needs. Leaving the
 * loop closes the connection.
 */
export async function* watchEvents<T extends KubeObject>(
  listWatch: ListWatch<T>,
  options: WatchOptions,
  { clock, silenceMs, signal }: Exchange,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const watchdog = new Watchdog(clock, silenceMs, 'watch', signal);
  const events = listWatch.watch({ ...options, signal: watchdog.signal })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await watchdog.guard(() => events.next());
      if (step.done === true) return;
      yield checked(step.value);
    }
  } finally {
    watchdog.close();
    // The connection is given up, so how it ends tells nothing; waiting for it could take for ever.
    events.return?.().then(undefined, () => undefined);
  }
}

function checked<T extends KubeObject>(event: WatchEvent<T>): WatchEvent<T> {
  if (event.type === 'ERROR') throw statusError('watch', 0, event.object);
  const version = (event.object.metadata as T['metadata'] | undefined)?.resourceVersion;
  if (typeof version !== 'string' || version === '') {
    throw new ProtocolError(`watch: a ${event.type} event has no resourceVersion`);
  }
  if (event.type !== 'BOOKMARK') requireName(event.object);
  return event;
}

function requireName(object: KubeObject): void {
  const name: unknown = (object.metadata as KubeObject['metadata'] | undefined)?.name;
  if (typeof name !== 'string' || name === '')
    throw new ProtocolError('the server sent an object without a name');
}
