import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackoffLimits } from './backoff.ts';
import { backoffDelay } from './backoff.ts';
import type { Clock, Random } from './clock.ts';
import { systemClock } from './clock.ts';
import { DelayQueue } from './delayQueue.ts';
import { FairQueue } from './fairQueue.ts';

/** What the queue tells about itself. All hooks are optional and must not throw. */
export interface WorkQueueHooks {
  /** How many keys are ready and not yet taken, after each change. */
  depth?(keys: number): void;
  /** How long `key` was ready before a worker took it, in milliseconds. */
  latency?(ms: number, key: string): void;
  /** How long the handler worked on `key`, in milliseconds, however it ended. */
  workDuration?(ms: number, key: string): void;
  /** `key` comes again after `delayMs` milliseconds, rate limited. */
  retry?(key: string, delayMs: number): void;
}

export interface WorkQueueOptions {
  /** Told of each error that a handler threw; the key is retried by then. Must not throw. */
  onHandlerError: (key: string, error: unknown) => void;
  /** The group (cluster, tenant) of a key, for fairness; by default all keys are of one group. */
  groupOf?: (key: string) => string;
  /** Waits of `addRateLimited`; by default from 5 ms to 5 minutes. */
  backoff?: BackoffLimits;
  hooks?: WorkQueueHooks;
  clock?: Clock;
  random?: Random;
}

/** Works on one key. What it throws is reported and makes the key come again, rate limited. */
export type Handler = (key: string, signal: AbortSignal) => void | Promise<void>;

export interface RunOptions {
  /** How many keys are worked on at once, each taken as one whole place. */
  concurrency: number;
  /**
   * The share of a place that a key takes, above 0 and up to 1: so many more keys of little work are worked on at once.
   * By default all take a whole one.
   */
  weightOf?: (key: string) => number;
  /** Aborted: no further key is taken, and `run` ends when the handlers at work have ended. */
  signal: AbortSignal;
}

/** One call of `run`. */
interface Run extends RunOptions {
  handler: Handler;
  weightOf: (key: string) => number;
  /** The sum of the weights of the keys at work. */
  taken: number;
  /** Keys at work, and the turn after each. */
  atWork: number;
  /** Keys are being taken, one in each turn of the event loop. */
  taking: boolean;
  ended: PromiseWithResolvers<undefined>;
}

const DEFAULT_BACKOFF: BackoffLimits = { baseMs: 5, maxMs: 300_000 };

/**
 * Keys to be worked on, with the promises of client-go's workqueue: a key that waits is there once however often it
 * was added; a key added while it is worked on is worked on once more afterwards, and never twice at once.
 */
export class WorkQueue {
  readonly #onHandlerError: (key: string, error: unknown) => void;
  readonly #backoff: BackoffLimits;
  readonly #hooks: WorkQueueHooks;
  readonly #clock: Clock;
  readonly #random: Random;

  readonly #ready: FairQueue;
  readonly #delayed: DelayQueue;
  /** Keys to be worked on, with the time of their first add: those in #ready and those to come again. */
  readonly #dirty = new Map<string, number>();
  readonly #processing = new Set<string>();
  readonly #retries = new Map<string, number>();
  readonly #drained = Promise.withResolvers<undefined>();
  #run: Run | undefined;
  #shuttingDown = false;
  #handlerErrors = 0;

  constructor(options: WorkQueueOptions) {
    this.#onHandlerError = options.onHandlerError;
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF;
    this.#hooks = options.hooks ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#ready = new FairQueue(options.groupOf ?? (() => ''));
    this.#delayed = new DelayQueue(this.#clock, (key) => this.add(key));
  }

  /** How many keys are ready and not yet taken. */
  get depth(): number {
    return this.#ready.length;
  }

  /** How many times a handler threw. */
  get handlerErrors(): number {
    return this.#handlerErrors;
  }

  /** Makes `key` ready. After `shutDown` it does nothing. */
  add(key: string): void {
    if (this.#shuttingDown || this.#dirty.has(key)) return;
    this.#dirty.set(key, this.#clock.now());
    if (!this.#processing.has(key)) this.#enqueue(key);
  }

  /** Makes `key` ready in `ms` milliseconds; of several waits for one key the one that ends first counts. */
  addAfter(key: string, ms: number): void {
    if (this.#shuttingDown) return;
    if (ms > 0) this.#delayed.add(key, ms);
    else this.add(key);
  }

  /** Makes `key` ready after a wait that doubles with each call until `forget`. */
  addRateLimited(key: string): void {
    if (this.#shuttingDown) return;
    const attempt = this.retries(key);
    this.#retries.set(key, attempt + 1);
    const delay = backoffDelay(attempt, this.#backoff, this.#random);
    this.#hooks.retry?.(key, delay);
    this.addAfter(key, delay);
  }

  /** Lets the waits of `addRateLimited` for `key` begin anew. A wait that runs goes on. */
  forget(key: string): void {
    this.#retries.delete(key);
  }

  /** How often `key` was rate limited since it was last forgotten. */
  retries(key: string): number {
    return this.#retries.get(key) ?? 0;
  }

  /**
   * Works on keys until `shutDown` has drained the queue or `signal` aborts. A key whose handler succeeds is forgotten,
   * unless the handler itself rate limited it. Throws when the queue is run already.
   */
  async run(handler: Handler, { concurrency, weightOf = () => 1, signal }: RunOptions): Promise<void> {
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw new RangeError('concurrency must be 1 or more');
    if (this.#run !== undefined) throw new Error('the work queue is run already');
    const ended = Promise.withResolvers<undefined>();
    const run: Run = { handler, concurrency, weightOf, signal, taken: 0, atWork: 0, taking: false, ended };
    const settle = (): void => this.#settle();
    signal.addEventListener('abort', settle);
    this.#run = run;
    try {
      void this.#take(run);
      this.#settle();
      await ended.promise;
    } finally {
      signal.removeEventListener('abort', settle);
      this.#run = undefined;
      this.#settle();
    }
  }

  /**
   * Takes no further key, drops delayed ones, and resolves when all that were ready have been worked on. Without a
   * worker left it resolves at once, as nobody would take them.
   */
  shutDown(): Promise<void> {
    this.#shuttingDown = true;
    this.#delayed.clear();
    this.#settle();
    return this.#drained.promise;
  }

  /**
   * Takes keys for as long as there is room, each in a turn of the event loop of its own: many at once, or handlers that
   * never wait, would hold timers and sockets of the whole process until all are begun.
   */
  async #take(run: Run): Promise<void> {
    if (run.taking) return;
    run.taking = true;
    for (let weight = this.#roomForNext(run); weight !== undefined; weight = this.#roomForNext(run)) {
      void this.#work(run, weight);
      await nextTurn();
    }
    run.taking = false;
  }

  /** The weight of the key whose turn it is, where it may begin now. */
  #roomForNext(run: Run): number | undefined {
    const key = this.#ready.first;
    if (key === undefined || run.signal.aborted) return undefined;
    const weight = run.weightOf(key);
    return run.taken + weight <= run.concurrency ? weight : undefined;
  }

  async #work(run: Run, weight: number): Promise<void> {
    const key = this.#next();
    if (key === undefined) return;
    run.atWork += 1;
    run.taken += weight;
    await this.#process(key, run.handler, run.signal);
    run.taken -= weight;
    await nextTurn();
    run.atWork -= 1;
    void this.#take(run);
    this.#settle();
  }

  async #process(key: string, handler: Handler, signal: AbortSignal): Promise<void> {
    const retriesBefore = this.retries(key);
    const started = this.#clock.now();
    try {
      await handler(key, signal);
      if (this.retries(key) === retriesBefore) this.forget(key);
    } catch (error) {
      this.#handlerErrors += 1;
      this.addRateLimited(key);
      this.#onHandlerError(key, error);
    } finally {
      this.#hooks.workDuration?.(this.#clock.now() - started, key);
      this.#done(key);
    }
  }

  #enqueue(key: string): void {
    this.#ready.push(key);
    this.#hooks.depth?.(this.depth);
    if (this.#run !== undefined) void this.#take(this.#run);
  }

  /** The next key in turn, now being worked on; undefined when there is none. */
  #next(): string | undefined {
    const key = this.#ready.shift();
    if (key === undefined) return undefined;
    const added = this.#dirty.get(key) ?? this.#clock.now();
    this.#dirty.delete(key);
    this.#processing.add(key);
    this.#hooks.depth?.(this.depth);
    this.#hooks.latency?.(this.#clock.now() - added, key);
    return key;
  }

  #done(key: string): void {
    this.#processing.delete(key);
    if (this.#dirty.has(key)) this.#enqueue(key);
    this.#settle();
  }

  /** Nothing is left and nothing can come. */
  #isFinished(): boolean {
    return this.#shuttingDown && this.depth === 0 && this.#processing.size === 0;
  }

  /** Ends what waits for the end: `run` when its last handler has ended, and the promise of `shutDown`. */
  #settle(): void {
    const run = this.#run;
    const isOver = this.#isFinished() || run?.signal.aborted === true;
    if (run !== undefined && isOver && run.atWork === 0) run.ended.resolve(undefined);
    if (this.#isFinished() || (this.#shuttingDown && run === undefined)) this.#drained.resolve(undefined);
  }
}
