import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../kube/clock.ts';

interface Pending {
  due: number;
  run: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #pending = new Set<Pending>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): Pending {
    const timer = { due: this.#now + ms, run };
    this.#pending.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#pending.delete(timer as Pending);
  }

  get timers(): number {
    return this.#pending.size;
  }

  /** Milliseconds until the next timer; undefined when there is none. */
  get nextIn(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : next.due - this.#now;
  }

  /** Lets `ms` milliseconds pass; what each timer sets off comes to rest before the next one fires. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.settle();
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due);
      this.#pending.delete(next);
      next.run();
      await this.settle();
    }
    this.#now = end;
  }

  /** Waits until all promises that can settle without time passing have done so. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  }

  #next(): Pending | undefined {
    let next: Pending | undefined;
    for (const timer of this.#pending) if (next === undefined || timer.due < next.due) next = timer;
    return next;
  }
}
