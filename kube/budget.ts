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
    const { burst, perMinute } = this.#limits;
    const last = this.#buckets.get(key) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, last.tokens + ((now - last.at) / 60_000) * perMinute);
    const allowed = tokens >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at: now });
    if (this.#buckets.size > this.#maxKeys) this.#forgetOldest();
    return allowed;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
