import type { KubeObject } from '../api/object.ts';
import { keyOf, keyString } from '../api/object.ts';
import type { KubeClient } from './client.ts';
import { isNotFound } from './errors.ts';
import { eventBody, type EventInput, EVENTS, noteOf, type Reporter, seriesPatch } from './eventBody.ts';
import { Budget } from './budget.ts';

export interface EventRecorderOptions {
  client: KubeClient;
  reporter: Reporter;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Told why an event could not be written; it is not tried again. */
  onError?: (error: unknown, event: EventInput) => void;
  /** Events that wait to be sent; more are dropped and counted. */
  maxQueued?: number;
  /** For one object. */
  burst?: number;
  perMinute?: number;
}

/** What became of the events so far. */
export interface EventCounts {
  sent: number;
  failed: number;
  /** Above the queue's size or the object's rate. */
  dropped: number;
}

interface Series {
  input: EventInput;
  count: number;
  /** How far the cluster was told, or refused to be. */
  sentCount: number;
  first: number;
  last: number;
  sentAt: number;
  queued: boolean;
  /** Where it is in the cluster, once it is. */
  written: { namespace: string; name: string } | undefined;
}

/** Without news for so long, the next occurrence is an Event of its own (client-go's finishTime). */
const SERIES_ENDS_MS = 6 * 60_000;

/** A series is counted on in the cluster no more often than that; flush() brings the rest. */
const SERIES_UPDATE_MS = 30_000;

const MAX_SERIES = 4096;

/**
 * Writes events.k8s.io/v1 Events in the background, one at a time, in order. An event that happens again is the same
 * Event with a higher count. Nothing here throws into the caller: events are news, not state.
 */
export class EventRecorder {
  readonly #options: Required<EventRecorderOptions>;
  readonly #budget: Budget;
  readonly #series = new Map<string, Series>();
  readonly #queue: Series[] = [];
  readonly #counts: EventCounts = { sent: 0, failed: 0, dropped: 0 };
  #working: Promise<void> | undefined;
  #names = 0;

  constructor(options: EventRecorderOptions) {
    const ignore = (): void => undefined;
    this.#options = { now: Date.now, onError: ignore, maxQueued: 1000, burst: 25, perMinute: 12, ...options };
    this.#budget = new Budget(this.#options, MAX_SERIES);
  }

  get counts(): Readonly<EventCounts> {
    return this.#counts;
  }

  /** Takes note of an event and returns at once. */
  record(input: EventInput): void {
    const now = this.#options.now();
    const key = seriesKey(input);
    const known = this.#series.get(key);
    if (known !== undefined && now - known.last < SERIES_ENDS_MS) this.#countOn(key, known, now);
    else this.#begin(key, input, now);
  }

  /** Resolves when everything recorded so far is written, counts included, or has failed. */
  async flush(): Promise<void> {
    for (const series of this.#series.values()) {
      if (series.count > series.sentCount) this.#enqueue(series);
    }
    while (this.#working !== undefined) await this.#working;
  }

  #begin(key: string, input: EventInput, now: number): void {
    if (
      this.#queue.length >= this.#options.maxQueued ||
      !this.#budget.take(objectKey(input.regarding), now)
    ) {
      this.#counts.dropped++;
      return;
    }
    const series = {
      input,
      count: 1,
      sentCount: 0,
      first: now,
      last: now,
      sentAt: -Infinity,
      queued: false,
      written: undefined,
    };
    this.#remember(key, series);
    this.#enqueue(series);
  }

  #countOn(key: string, series: Series, now: number): void {
    series.count++;
    series.last = now;
    this.#remember(key, series);
    if (now - series.sentAt >= SERIES_UPDATE_MS) this.#enqueue(series);
  }

  /** The latest are kept, so that what is never told again is forgotten first. */
  #remember(key: string, series: Series): void {
    this.#series.delete(key);
    this.#series.set(key, series);
    const [oldest] = this.#series.keys();
    if (this.#series.size > MAX_SERIES && oldest !== undefined) this.#series.delete(oldest);
  }

  #enqueue(series: Series): void {
    if (series.queued) return;
    series.queued = true;
    this.#queue.push(series);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    for (let series = this.#queue.shift(); series !== undefined; series = this.#queue.shift()) {
      series.queued = false;
      const count = series.count;
      series.sentCount = count;
      series.sentAt = this.#options.now();
      try {
        await this.#write(series, count);
        this.#counts.sent++;
      } catch (error) {
        this.#counts.failed++;
        this.#options.onError(error, series.input);
      }
    }
  }

  async #write(series: Series, count: number): Promise<void> {
    if (series.written !== undefined && (await this.#updated(series.written, series, count))) return;
    const { client, reporter } = this.#options;
    const body = eventBody(series.input, reporter, new Date(series.first), this.#uniqueSuffix(series.first));
    const event: KubeObject = count === 1 ? body : { ...body, ...seriesPatch(count, new Date(series.last)) };
    const { metadata } = await client.create(EVENTS, event);
    series.written = { name: metadata.name, namespace: metadata.namespace ?? 'default' };
  }

  /** False where the Event is gone: the API server keeps one for an hour. */
  async #updated(at: { namespace: string; name: string }, series: Series, count: number): Promise<boolean> {
    try {
      await this.#options.client.patch(EVENTS, at, {
        type: 'merge',
        patch: seriesPatch(count, new Date(series.last)),
      });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** As client-go names Events: the time in hexadecimal; here counted on, since this clock has no nanoseconds. */
  #uniqueSuffix(at: number): string {
    this.#names = (this.#names + 1) % 1_000_000;
    return (BigInt(Math.trunc(at)) * 1_000_000n + BigInt(this.#names)).toString(16);
  }
}

function objectKey(object: KubeObject): string {
  return `${keyString(keyOf(object))}|${object.metadata.uid ?? ''}`;
}

function seriesKey({ regarding, type, reason, action, message }: EventInput): string {
  return JSON.stringify([objectKey(regarding), type, reason, action, noteOf(message)]);
}
