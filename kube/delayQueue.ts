import type { Clock, Timer } from './clock.ts';
import { LONGEST_TIMER_MS } from './clock.ts';

interface Entry {
  key: string;
  /** On the clock's scale, in milliseconds. */
  due: number;
  /** Where the entry stands in the heap, so that an earlier time can move it. */
  index: number;
}

/**
 * Keys that become due later; of several times for one key the earliest wins. A binary heap with one timer for its
 * first entry, so that 10,000 waiting keys cost one timer.
 */
export class DelayQueue {
  readonly #clock: Clock;
  readonly #onDue: (key: string) => void;
  readonly #heap: Entry[] = [];
  readonly #entries = new Map<string, Entry>();
  #timer: Timer;
  #timerDue = Infinity;

  /** `onDue` is called once per key when its time has come. */
  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get length(): number {
    return this.#heap.length;
  }

  /** Makes `key` due in `ms` milliseconds, unless it is due sooner already. */
  add(key: string, ms: number): void {
    const due = this.#clock.now() + ms;
    const known = this.#entries.get(key);
    if (known === undefined) {
      const entry = { key, due, index: this.#heap.length };
      this.#heap.push(entry);
      this.#entries.set(key, entry);
      this.#up(entry);
    } else if (due < known.due) {
      known.due = due;
      this.#up(known);
    }
    this.#arm();
  }

  /** Forgets all keys and stops the timer. */
  clear(): void {
    this.#heap.length = 0;
    this.#entries.clear();
    this.#arm();
  }

  #arm(): void {
    const due = this.#heap[0]?.due ?? Infinity;
    if (due === this.#timerDue) return;
    if (this.#timerDue !== Infinity) this.#clock.clearTimeout(this.#timer);
    this.#timerDue = due;
    if (due === Infinity) return;
    const wait = Math.min(Math.max(due - this.#clock.now(), 0), LONGEST_TIMER_MS);
    this.#timer = this.#clock.setTimeout(() => this.#fire(), wait);
  }

  #fire(): void {
    this.#timerDue = Infinity;
    const now = this.#clock.now();
    for (let first = this.#heap[0]; first !== undefined && first.due <= now; first = this.#heap[0]) {
      this.#removeFirst(first);
      this.#onDue(first.key);
    }
    this.#arm();
  }

  #removeFirst(first: Entry): void {
    this.#entries.delete(first.key);
    const last = this.#heap.pop();
    if (last === undefined || last === first) return;
    this.#place(last, 0);
    this.#down(last);
  }

  #up(entry: Entry): void {
    for (;;) {
      const parent = this.#heap[(entry.index - 1) >> 1];
      if (parent === undefined || parent.due <= entry.due) return;
      this.#swap(entry, parent);
    }
  }

  #down(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.index + 1];
      const right = this.#heap[2 * entry.index + 2];
      const child = right !== undefined && left !== undefined && right.due < left.due ? right : left;
      if (child === undefined || entry.due <= child.due) return;
      this.#swap(entry, child);
    }
  }

  #swap(a: Entry, b: Entry): void {
    const { index } = a;
    this.#place(a, b.index);
    this.#place(b, index);
  }

  #place(entry: Entry, index: number): void {
    entry.index = index;
    this.#heap[index] = entry;
  }
}
