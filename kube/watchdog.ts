import type { Clock } from './clock.ts';
import { KubeError } from './errors.ts';

/** The other side kept silent for longer than it may: mostly a connection that only this side believes in. */
export class SilenceError extends KubeError {
  override name = 'SilenceError';
}

/**
 * Bounds the time of each step of one exchange. When a step takes longer than `limitMs`, or the parent signal aborts,
 * the step fails and `signal` aborts, so that even a source that ignores its signal holds nobody up.
 */
export class Watchdog {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #what: string;
  readonly #parent: AbortSignal;
  readonly #controller = new AbortController();
  #interrupt: ((reason: unknown) => void) | undefined;

  /** `what` names the exchange in the error. Call `close` at its end. */
  constructor(clock: Clock, limitMs: number, what: string, parent: AbortSignal) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#what = what;
    this.#parent = parent;
    if (parent.aborted) this.#controller.abort(parent.reason);
    parent.addEventListener('abort', this.#onParentAbort);
  }

  /** To be handed to the exchange. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts a step and waits for it. Throws SilenceError, the reason of the parent's abort, or the step's own error. */
  async guard<T>(step: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const interrupted = Promise.withResolvers<never>();
    this.#interrupt = interrupted.reject;
    const timer = this.#clock.setTimeout(() => this.#end(this.#silence()), this.#limitMs);
    try {
      return await Promise.race([step(), interrupted.promise]);
    } finally {
      this.#interrupt = undefined;
      this.#clock.clearTimeout(timer);
    }
  }

  /** Ends the exchange: `signal` aborts. */
  close(): void {
    this.#parent.removeEventListener('abort', this.#onParentAbort);
    this.#controller.abort();
  }

  readonly #onParentAbort = (): void => this.#end(this.#parent.reason);

  #end(reason: unknown): void {
    this.#controller.abort(reason);
    this.#interrupt?.(reason);
  }

  #silence(): SilenceError {
    return new SilenceError(`${this.#what}: nothing came for ${Math.round(this.#limitMs / 1000)} s`);
  }
}
