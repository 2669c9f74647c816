/** First in, first out, without the cost of shifting an array. */
class Fifo {
  #items: string[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): string | undefined {
    return this.#items[this.#head];
  }

  push(item: string): void {
    this.#items.push(item);
  }

  shift(): string | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}

/**
 * A queue that serves its groups in turn, each group first in, first out: a group with 10,000 keys delays another
 * group's key by one turn, not by 10,000.
 */
export class FairQueue {
  readonly #groupOf: (key: string) => string;
  readonly #groups = new Map<string, Fifo>();
  readonly #turns = new Fifo();
  #length = 0;

  /** `groupOf` answers the group of a key; it must answer the same each time. */
  constructor(groupOf: (key: string) => string) {
    this.#groupOf = groupOf;
  }

  get length(): number {
    return this.#length;
  }

  /** The key that `shift` would take. */
  get first(): string | undefined {
    const group = this.#turns.first;
    return group === undefined ? undefined : this.#groups.get(group)?.first;
  }

  push(key: string): void {
    const group = this.#groupOf(key);
    const waiting = this.#groups.get(group);
    if (waiting) {
      waiting.push(key);
    } else {
      const first = new Fifo();
      first.push(key);
      this.#groups.set(group, first);
      this.#turns.push(group);
    }
    this.#length += 1;
  }

  /** The next key of the group whose turn it is; undefined when nothing waits. */
  shift(): string | undefined {
    const group = this.#turns.shift();
    if (group === undefined) return undefined;
    const waiting = this.#groups.get(group);
    const key = waiting?.shift();
    if (waiting && waiting.length > 0) this.#turns.push(group);
    else this.#groups.delete(group);
    if (key !== undefined) this.#length -= 1;
    return key;
  }
}
