import type { Log } from '../log.ts';

/**
 * Waits that go on after a reconcile has held: when one ends, the Release is reconciled again. A new reconcile decides
 * afresh what to wait for, so it ends the old ones.
 */
export class Wakeups {
  readonly #wake: (release: string) => void;
  readonly #log: Log;
  readonly #waits = new Map<string, AbortController>();

  constructor(wake: (release: string) => void, log: Log) {
    this.#wake = wake;
    this.#log = log;
  }

  /** Ends what the Release waits for. */
  clear(release: string): void {
    this.#waits.get(release)?.abort();
    this.#waits.delete(release);
  }

  /** Wakes the Release when the wait ends. One that fails wakes it too: the reconcile finds out what is the matter. */
  add(release: string, wait: (signal: AbortSignal) => Promise<void>): void {
    const controller = this.#waits.get(release) ?? new AbortController();
    this.#waits.set(release, controller);
    void wait(controller.signal)
      .catch((error: unknown) =>
        this.#log.warn({ release, err: error }, 'a wait ended with an error; the release is looked at again'),
      )
      .finally(() => {
        if (!controller.signal.aborted) this.#wake(release);
      });
  }

  stop(): void {
    for (const release of [...this.#waits.keys()]) this.clear(release);
  }
}
