import { unlessAborted } from '../../kube/unlessAborted.ts';

/** Wakes the one who waits for a change; rings that nobody has heard count as one. */
export class Bell {
  #rung = Promise.withResolvers<undefined>();

  ring(): void {
    this.#rung.resolve(undefined);
  }

  /**
   * Resolves at the next ring, or one that was not heard before, or after `withinMs`.
   * @throws the reason of the signal when it aborts
   */
  async heard(signal: AbortSignal, withinMs?: number): Promise<void> {
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.ring(), withinMs);
    try {
      await unlessAborted(this.#rung.promise, signal);
    } finally {
      clearTimeout(timer);
    }
    this.#rung = Promise.withResolvers<undefined>();
  }
}
