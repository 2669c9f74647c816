import type { KubeObject } from '../api/object.ts';
import { Backoff, type BackoffLimits } from './backoff.ts';
import type { WatchEvent, WatchOptions } from './client.ts';
import { type Clock, pause, type Random, systemClock } from './clock.ts';
import { type ChangeHandler, ChangeHandlers } from './changeHandlers.ts';
import { ApiError, ConnectionError, isGone, isRetryable } from './errors.ts';
import { ListCheck } from './listCheck.ts';
import { type Exchange, listAll, type ListWatch, watchEvents } from './listWatch.ts';
import { isOlderVersion } from './resourceVersion.ts';
import {
  InitialEventsCut,
  isUnsupportedStreamingList,
  mayBlameVersion,
  mustRelist,
  retryAfterMs,
  wasConnected,
} from './resume.ts';
import { ObjectStore, storeKey } from './store.ts';
import { unlessAborted } from './unlessAborted.ts';
import { SILENCE_MS, silenceMs, watchSeconds } from './watchTimes.ts';

/** Something that went wrong and that the reflector has dealt with. */
export interface ReflectorFault {
  during: 'list' | 'watch' | 'handler' | 'transform';
  error: unknown;
}

export interface ReflectorOptions<T> {
  /** Told of each fault. Must not throw. */
  onFault: (fault: ReflectorFault) => void;
  /**
   * Trims an object before it is stored; must keep namespace, name, uid and resourceVersion. If it throws, the object
   * is stored as it came, since a missing object would look like a deleted one.
   */
  transform?: (object: T) => T;
  /** Objects per page of a list; 500. */
  pageSize?: number;
  /** Get the first state through the watch (`sendInitialEvents`), where the server can; false. */
  streamingList?: boolean;
  /** Longest wait for an event, a bookmark, the end of a watch or a page of a list; 28 s (watchTimes.ts). */
  silenceMs?: number;
  /** How many watches of its kind the process has open: the more, the longer each (watchTimes.ts); 1. */
  crowd?: () => number;
  /** Waits after failures; 0.8 s to 30 s, as client-go. */
  backoff?: BackoffLimits;
  clock?: Clock;
  random?: Random;
}

/** What a reflector has done so far. */
export interface ReflectorStats {
  /** Lists begun, in pages or streaming. */
  lists: number;
  /** Watches begun. */
  watches: number;
  /** Times that it had to begin again, for whatever reason, a watch that the server ended in time included. */
  restarts: number;
  /** Times that the server no longer had the history since the last version (410). */
  expired: number;
  /** Changes told to handlers. */
  changes: number;
  /** Handlers and transforms that threw. */
  handlerErrors: number;
}

const DEFAULT_BACKOFF: BackoffLimits = { baseMs: 800, maxMs: 30_000 };
const BACKOFF_RESET_MS = 120_000;
const DEFAULT_PAGE_SIZE = 500;
/** A watch that ends sooner counts as a failure (client-go: "very short watch"). */
const SHORT_WATCH_MS = 1000;
/** A watch that was cut later does not pay for what failed before it: beginning it anew so rarely is no storm. */
const HELD_WATCH_MS = 5_000;
/** Whoever is not there is not spared by long waits, and those who wait for news get them soon after it is back. */
const LONGEST_UNANSWERED_MS = 8_000;
/** Some servers answer an old version with 500 for ever; after so many in a row a list settles it. */
const MAX_FAILED_RESUMES = 5;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** The watch is given up, since it has not told of everything. */
class StartOver extends Error {
  override name = 'StartOver';
}

/**
 * Mirrors one collection of an API server into a store and tells handlers of each change, with the promises of
 * client-go's Reflector and shared informer: it lists, then watches from the list's version, goes on from the last
 * version seen when a connection ends, and lists again when the server has forgotten that version.
 */
export class Reflector<T extends KubeObject> {
  readonly #listWatch: ListWatch<T>;
  readonly #options: ReflectorOptions<T>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #backoff: Backoff;
  readonly #handlers = new ChangeHandlers<T>((error) => this.#handlerFailed('handler', error));
  readonly #store = new ObjectStore<T>((change) => {
    this.#stats.changes += 1;
    this.#handlers.tell(change);
  });
  readonly #synced = Promise.withResolvers<undefined>();
  readonly #stats: ReflectorStats = {
    lists: 0,
    watches: 0,
    restarts: 0,
    expired: 0,
    changes: 0,
    handlerErrors: 0,
  };
  #streamingList: boolean;
  /** Where to go on; undefined before the first list and after 410. */
  #resourceVersion: string | undefined;
  #failedResumes = 0;
  /** Ends the watch that is open. */
  #watching = new AbortController();
  #check: ListCheck | undefined;
  /** What is mirrored is not what is there: it is to be listed before the next watch. */
  #isOutdated = false;
  #hasSynced = false;
  #isRefused = false;
  #started = false;

  constructor(listWatch: ListWatch<T>, options: ReflectorOptions<T>) {
    this.#listWatch = listWatch;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#streamingList = options.streamingList ?? false;
    this.#backoff = new Backoff(
      options.backoff ?? DEFAULT_BACKOFF,
      BACKOFF_RESET_MS,
      this.#clock,
      this.#random,
    );
    // Nobody has to wait for it, so its rejection alone must not end the process.
    this.#synced.promise.catch(() => undefined);
  }

  /** Resolves when the first whole state is in the store and handlers know it; rejects when `run` ends before. */
  get synced(): Promise<undefined> {
    return this.#synced.promise;
  }

  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  /** Changes arrive: the first state is whole, and the server has not refused since to tell more (rights lost, type gone). */
  get isFollowing(): boolean {
    return this.#hasSynced && !this.#isRefused;
  }

  get stats(): Readonly<ReflectorStats> {
    return { ...this.#stats };
  }

  /** The object by `storeKey` (`shop/web`), as last seen. It belongs to the store: change a copy. */
  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  /** All objects, as last seen. */
  list(): T[] {
    return this.#store.list();
  }

  /** Adds a handler, which is told at once of all that is there. Returns the function that removes it. */
  addHandler(handler: ChangeHandler<T>): () => void {
    return this.#handlers.add(handler, this.#store.list());
  }

  /**
   * Holds what is mirrored against a list of metadata, as soon as the watch has told all that the list knows. Where an event
   * was missed, all is listed anew, and handlers learn of what they missed.
   * @returns how many objects the watch had not told of; 0 while another check is under way
   * @throws ApiError, ConnectionError, SilenceError of the list; the reason of the signal
   */
  async verify(signal: AbortSignal): Promise<number> {
    if (this.#check !== undefined || !this.isFollowing) return 0;
    const metadataOnly: ListWatch<T> = {
      list: (options) => this.#listWatch.list({ ...options, metadataOnly: true }),
      watch: (options) => this.#listWatch.watch(options),
    };
    const pageSize = this.#options.pageSize ?? DEFAULT_PAGE_SIZE;
    const listed = await listAll(metadataOnly, pageSize, this.#exchange(signal));
    const check = new ListCheck(listed, this.#store.list());
    if (check.missed.size === 0) return 0;
    this.#check = check;
    try {
      check.told(undefined, this.#resourceVersion);
      await unlessAborted(check.caughtUp.promise, signal);
    } finally {
      this.#check = undefined;
    }
    if (check.missed.size > 0) this.#startOver();
    return check.missed.size;
  }

  /** Mirrors until `signal` aborts. Never throws because of a server, a handler or a transform. To be called once. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#started) throw new Error('the reflector is run already');
    this.#started = true;
    for (let round = 0; !signal.aborted; round += 1) {
      this.#stats.restarts = round;
      const waitMs = await this.#attempt(signal);
      if (waitMs > 0) await pause(this.#clock, waitMs, signal);
    }
    this.#synced.reject(signal.reason);
  }

  /** One watch, and before it a list where one is due. Answers how long to wait before the next, in milliseconds. */
  async #attempt(signal: AbortSignal): Promise<number> {
    let began = Infinity;
    if (this.#isOutdated) this.#resourceVersion = undefined;
    this.#isOutdated = false;
    try {
      if (this.#resourceVersion === undefined && !this.#streamingList) await this.#relist(signal);
      began = this.#clock.now();
      await this.#watch(signal);
      return this.#clock.now() - began < SHORT_WATCH_MS ? this.#backoff.next() : 0;
    } catch (error) {
      if (error instanceof StartOver) return 0;
      if (wasConnected(error) && this.#clock.now() - began >= HELD_WATCH_MS) this.#backoff.reset();
      return signal.aborted ? 0 : this.#recover(error);
    }
  }

  async #relist(signal: AbortSignal): Promise<void> {
    this.#stats.lists += 1;
    const pageSize = this.#options.pageSize ?? DEFAULT_PAGE_SIZE;
    const { items, resourceVersion } = await listAll(this.#listWatch, pageSize, this.#exchange(signal));
    this.#replace(items, resourceVersion);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    this.#stats.watches += 1;
    const initial = this.#resourceVersion === undefined ? new Map<string, T>() : undefined;
    if (initial !== undefined) this.#stats.lists += 1;
    const seconds = watchSeconds(this.#random, this.#options.crowd?.());
    this.#watching = new AbortController();
    const either = AbortSignal.any([signal, this.#watching.signal]);
    const exchange = this.#exchange(either, Math.max(SILENCE_MS, silenceMs(seconds)));
    for await (const event of watchEvents(this.#listWatch, this.#watchOptions(seconds), exchange)) {
      this.#backoff.reset();
      this.#failedResumes = 0;
      this.#isRefused = false;
      if (initial !== undefined && this.#resourceVersion === undefined) this.#collect(initial, event);
      else this.#apply(event);
    }
    if (this.#resourceVersion === undefined) throw new InitialEventsCut();
  }

  #watchOptions(timeoutSeconds: number): WatchOptions {
    const common: WatchOptions = { allowWatchBookmarks: true, timeoutSeconds };
    return this.#resourceVersion === undefined
      ? { ...common, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
      : { ...common, resourceVersion: this.#resourceVersion };
  }

  /** Gathers the first state of a streaming list until the bookmark that ends it. */
  #collect(initial: Map<string, T>, { type, object }: WatchEvent<T>): void {
    const key = storeKey(object.metadata);
    if (type === 'DELETED') initial.delete(key);
    else if (type !== 'BOOKMARK') initial.set(key, object);
    else if (object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true') {
      this.#replace(initial.values(), object.metadata.resourceVersion);
    }
  }

  /** An event from before the last one is a repetition: taken in, it would bring back what was deleted since. */
  #apply({ type, object }: WatchEvent<T>): void {
    if (isOlderVersion(object.metadata.resourceVersion, this.#resourceVersion)) return;
    if (type === 'DELETED') this.#store.remove(this.#trim(object));
    else if (type !== 'BOOKMARK') this.#store.put(this.#trim(object));
    this.#resourceVersion = object.metadata.resourceVersion;
    this.#check?.told(type === 'BOOKMARK' ? undefined : storeKey(object.metadata), this.#resourceVersion);
  }

  #replace(objects: Iterable<T>, resourceVersion: string | undefined): void {
    this.#store.replace(Array.from(objects, (object) => this.#trim(object)));
    this.#resourceVersion = resourceVersion;
    this.#check?.replaced();
    this.#hasSynced = true;
    this.#isRefused = false;
    this.#synced.resolve(undefined);
  }

  /** Decides where to go on after a failure, and when. */
  #recover(error: unknown): number {
    const during = this.#resourceVersion === undefined ? 'list' : 'watch';
    if (isGone(error)) this.#stats.expired += 1;
    else this.#options.onFault({ during, error });
    if (!isGone(error) && error instanceof ApiError && !isRetryable(error)) this.#isRefused = true;

    if (during === 'list' && isUnsupportedStreamingList(error)) this.#streamingList = false;
    if (during === 'watch' && mayBlameVersion(error)) this.#failedResumes += 1;
    if (mustRelist(error) || this.#failedResumes >= MAX_FAILED_RESUMES) {
      this.#resourceVersion = undefined;
      this.#failedResumes = 0;
    }
    const waitMs = this.#backoff.next();
    return Math.max(
      error instanceof ConnectionError ? Math.min(waitMs, LONGEST_UNANSWERED_MS) : waitMs,
      retryAfterMs(error),
    );
  }

  /** Events that are on their way until the watch has ended count still, but it is not gone on from them. */
  #startOver(): void {
    this.#isOutdated = true;
    this.#watching.abort(new StartOver());
  }

  #trim(object: T): T {
    const { transform } = this.#options;
    if (transform === undefined) return object;
    try {
      return transform(object);
    } catch (error) {
      this.#handlerFailed('transform', error);
      return object;
    }
  }

  #handlerFailed(during: 'handler' | 'transform', error: unknown): void {
    this.#stats.handlerErrors += 1;
    this.#options.onFault({ during, error });
  }

  #exchange(signal: AbortSignal, limitMs = SILENCE_MS): Exchange {
    return { clock: this.#clock, silenceMs: this.#options.silenceMs ?? limitMs, signal };
  }
}
