import { type Clock, pause, type Random, systemClock } from '../clock.ts';
import { isAlreadyExists, isConflict, isNotFound } from '../errors.ts';
import { Watchdog } from '../watchdog.ts';
import { claimed, heldFor, isHeld, type Observation, observe, released } from './decide.ts';
import type { LeaseClient } from './leaseClient.ts';
import type { Lease } from './record.ts';
import { Term } from './term.ts';

/** As client-go's leader election has them, in milliseconds. */
export interface ElectionTimes {
  /** How long others wait for a holder that they see no sign of; whole seconds. */
  leaseDurationMs: number;
  /** How long a holder acts that could not renew; shorter, so that it has stopped before others begin. */
  renewDeadlineMs: number;
  /** How long between renewals, and between attempts that failed. */
  retryPeriodMs: number;
}

export interface ElectionOptions {
  /** On a connection of its own, so that no other request holds up a renewal. */
  lease: LeaseClient;
  /** Of this process, and of no other one ever. */
  identity: string;
  times: ElectionTimes;
  /** What the record tells people. */
  now: () => Date;
  /** Told of each request that failed and is repeated, and of each holder that is seen. Must not throw. */
  onFault: (error: unknown) => void;
  onHolder: (identity: string) => void;
  clock?: Clock;
  random?: Random;
}

/** Part of the deadline that one renewal may take, so that there is time for another one (as kube-scheduler has it). */
const ATTEMPTS_PER_DEADLINE = 2;
/** What leads has so many milliseconds to come to rest once it may not lead any more. */
const REST_WITHIN_MS = 30_000;

/** As client-go spreads the attempts of those who wait. */
const RETRY_JITTER = 1.2;
const NEVER = new AbortController().signal;

/** A Lease, and until when it may be acted upon. */
interface Held {
  lease: Lease;
  until: number;
}

/**
 * Leader election by a Lease as client-go has it, but for two things: who waits watches the Lease instead of asking for
 * it again and again, so that a release is taken at once; and a Lease that somebody deletes counts as held for as long as
 * its holder may believe in it.
 */
export class Election {
  readonly #options: ElectionOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #candidate: { identity: string; leaseDurationMs: number };
  #observation: Observation | undefined;
  #holder = '';

  /** Throws RangeError for times that do not leave room for one another. */
  constructor(options: ElectionOptions) {
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options.times;
    if (!(leaseDurationMs > renewDeadlineMs && renewDeadlineMs > retryPeriodMs && retryPeriodMs > 0))
      throw new RangeError('leader election: lease duration > renew deadline > retry period > 0 must hold');
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#candidate = { identity: options.identity, leaseDurationMs };
  }

  /** Who leads is known. */
  get isFollowing(): boolean {
    return this.#observation !== undefined;
  }

  /**
   * Waits for the Lease and leads, again and again, until the signal aborts.
   * @param lead ends once the term is over, or for good when the signal aborts; until then the Lease is renewed. A lead
   * that does not end within 30 s of its term makes this throw
   */
  async run(lead: (term: Term) => Promise<void>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const held = await this.#acquire(signal);
      if (held !== undefined) await this.#leadOnce(held, lead);
    }
  }

  async #leadOnce(held: Held, lead: (term: Term) => Promise<void>): Promise<void> {
    const term = new Term(this.#clock, this.#options.lease.name, held.until);
    const resting = new AbortController();
    const leading = lead(term).finally(() => resting.abort());
    leading.catch(() => undefined);
    const last = await this.#renewUntil(term, held.lease, resting.signal);
    const isOwn = !term.isOver;
    if (!isOwn) await this.#untilAtRest(leading, resting.signal);
    term.end('it has ended');
    if (isOwn) await this.#release(last);
    await leading;
  }

  async #untilAtRest(leading: Promise<void>, resting: AbortSignal): Promise<void> {
    await pause(this.#clock, REST_WITHIN_MS, resting);
    if (resting.aborted) {
      await leading;
      return;
    }
    throw new Error(
      `what led by Lease ${this.#options.lease.name} has not come to rest ${REST_WITHIN_MS / 1000} s after its term`,
    );
  }

  /** @returns undefined where the signal aborts */
  async #acquire(signal: AbortSignal): Promise<Held | undefined> {
    while (!signal.aborted) {
      try {
        const attempt = await this.#within(signal, (limited) => this.#attempt(limited));
        if ('until' in attempt) return attempt;
        await this.#untilFree(attempt.lease, signal);
      } catch (error) {
        await this.#afterFailure(error, signal);
      }
    }
    return undefined;
  }

  /** Takes the Lease where it may be taken, else tells its state. */
  async #attempt(signal: AbortSignal): Promise<Held | { lease: Lease | undefined }> {
    const { lease: client, now } = this.#options;
    const lease = await client.get(signal);
    if (lease !== undefined || this.#observation === undefined) this.#see(lease);
    if (this.#waitMs() > 0) return { lease };
    const sentAt = this.#clock.now();
    const before = lease === undefined ? undefined : (lease.spec ?? {});
    const record = claimed(before, this.#candidate, now());
    const taken =
      lease === undefined ? await client.create(record, signal) : await client.replace(lease, record, signal);
    return this.#held(taken, sentAt);
  }

  /** Until the Lease is released or has run out, or it is time to ask again because the watch has ended. */
  async #untilFree(lease: Lease | undefined, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const watching = this.#watch(lease, either).then(() => over.abort());
    for (let wait = this.#waitMs(); wait > 0 && !either.aborted; wait = this.#waitMs())
      await pause(this.#clock, wait, either);
    over.abort();
    await watching;
  }

  /** Sees each renewal. Ends when there is reason to try. */
  async #watch(lease: Lease | undefined, signal: AbortSignal): Promise<void> {
    try {
      if (lease !== undefined) {
        for await (const state of this.#options.lease.changes(lease, signal)) {
          if (state === undefined) break;
          this.#see(state);
          if (this.#waitMs() === 0) return;
        }
      }
      await pause(this.#clock, this.#retryMs(), signal);
    } catch (error) {
      await this.#afterFailure(error, signal);
    }
  }

  /** @returns the Lease as it was renewed last */
  async #renewUntil(term: Term, held: Lease, resting: AbortSignal): Promise<Lease> {
    let lease = held;
    const { retryPeriodMs } = this.#options.times;
    const either = AbortSignal.any([term.signal, resting]);
    for (;;) {
      await pause(this.#clock, retryPeriodMs, either);
      if (either.aborted) return lease;
      try {
        const renewed = await this.#within(term.signal, (limited) => this.#renew(lease, limited));
        if (renewed === undefined) term.end('somebody else holds it');
        else {
          lease = renewed.lease;
          term.extend(renewed.until);
        }
      } catch (error) {
        if (!term.isOver) this.#options.onFault(error);
      }
    }
  }

  /** @returns undefined where somebody else holds it */
  async #renew(lease: Lease, signal: AbortSignal): Promise<Held | undefined> {
    const { lease: client, now } = this.#options;
    const sentAt = this.#clock.now();
    const record = claimed(lease.spec ?? {}, this.#candidate, now());
    try {
      return this.#held(await client.replace(lease, record, signal), sentAt);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    const present = await client.get(signal);
    if (present === undefined) return this.#held(await client.create(record, signal), sentAt);
    if (present.spec?.holderIdentity === this.#candidate.identity)
      return this.#held(await client.replace(present, record, signal), sentAt);
    this.#see(present);
    return undefined;
  }

  /** So that others need not wait. What fails here they wait for. */
  async #release(lease: Lease): Promise<void> {
    const record = released(lease.spec ?? {}, this.#options.now());
    try {
      await this.#within(NEVER, (limited) => this.#options.lease.replace(lease, record, limited));
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** @param sentAt others count from later on, whenever the request arrived */
  #held(lease: Lease, sentAt: number): Held {
    this.#see(lease);
    return { lease, until: sentAt + this.#options.times.renewDeadlineMs };
  }

  #see(lease: Lease | undefined): void {
    const record = lease?.spec ?? {};
    this.#observation = observe(this.#observation, record, this.#clock.now());
    const { holderIdentity = '' } = record;
    if (holderIdentity === this.#holder) return;
    this.#holder = holderIdentity;
    if (isHeld(record)) this.#options.onHolder(holderIdentity);
  }

  #waitMs(): number {
    return this.#observation === undefined
      ? 0
      : heldFor(this.#observation, this.#candidate, this.#clock.now());
  }

  async #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { times, lease } = this.#options;
    const limitMs = times.renewDeadlineMs / ATTEMPTS_PER_DEADLINE;
    const watchdog = new Watchdog(this.#clock, limitMs, `Lease ${lease.name}`, signal);
    try {
      return await watchdog.guard(() => work(watchdog.signal));
    } finally {
      watchdog.close();
    }
  }

  /** Somebody else was quicker, or the API server does not answer. */
  async #afterFailure(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!isConflict(error) && !isAlreadyExists(error)) this.#options.onFault(error);
    await pause(this.#clock, this.#retryMs(), signal);
  }

  #retryMs(): number {
    return this.#options.times.retryPeriodMs * (1 + this.#random() * RETRY_JITTER);
  }
}
