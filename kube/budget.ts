/** How much is said about one object: a burst, then a trickle. */
export interface BudgetLimits {
  burst: number;
  perMinute: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A token bucket for each key; of the keys the latest used are kept. */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: BudgetLimits, maxKeys: number) {
    this.#limits = limits;
    this.#maxKeys = maxKeys;
  }

  /** Takes one of the key's tokens. False where it has none left. `now` in milliseconds. */
  take(key: string, now: number): boolean {
    const allowed = this.has(key, now);
    this.spend(key, now, allowed ? 1 : 0);
    return allowed;
  }

  /** Whether the key has a token left. */
  has(key: string, now: number): boolean {
    return this.#tokensOf(key, now) >= 1;
  }

  /** Takes so many tokens, also those that the key does not have yet: what is over is missing later. */
  spend(key: string, now: number, tokens: number): void {
    const left = this.#tokensOf(key, now) - tokens;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: left, at: now });
    if (this.#buckets.size > this.#maxKeys) this.#forgetOldest();
  }

  #tokensOf(key: string, now: number): number {
    const { burst, perMinute } = this.#limits;
    const last = this.#buckets.get(key) ?? { tokens: burst, at: now };
    return Math.min(burst, last.tokens + ((now - last.at) / 60_000) * perMinute);
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
