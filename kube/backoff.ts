import type { Clock, Random } from './clock.ts';

/** How waits grow. */
export interface BackoffLimits {
  /** The first wait, in milliseconds. */
  baseMs: number;
  /** No wait is longer, in milliseconds. */
  maxMs: number;
}

/**
 * The wait before retry number `attempt` (0 is the first): `baseMs` doubled each time up to `maxMs`, of which a random
 * part of up to one half is taken off, so that many clients that failed together do not come back together.
 */
export function backoffDelay(attempt: number, { baseMs, maxMs }: BackoffLimits, random: Random): number {
  const full = Math.min(baseMs * 2 ** attempt, maxMs);
  return full * (1 - random() / 2);
}

/**
 * Back-off of one loop. It starts anew after `reset()`, or when the last failure is `resetAfterMs` in the past: the
 * rule of client-go's reflector (two minutes), so that a rare failure never pays for an old outage.
 */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #resetAfterMs: number;
  readonly #clock: Clock;
  readonly #random: Random;
  #attempt = 0;
  #lastFailure = -Infinity;

  constructor(limits: BackoffLimits, resetAfterMs: number, clock: Clock, random: Random) {
    this.#limits = limits;
    this.#resetAfterMs = resetAfterMs;
    this.#clock = clock;
    this.#random = random;
  }

  /** Notes a failure; answers how many milliseconds to wait before the next attempt. */
  next(): number {
    const now = this.#clock.now();
    if (now - this.#lastFailure > this.#resetAfterMs) this.reset();
    this.#lastFailure = now;
    const delay = backoffDelay(this.#attempt, this.#limits, this.#random);
    this.#attempt += 1;
    return delay;
  }

  reset(): void {
    this.#attempt = 0;
  }
}
