/** What a timer is known by; only its clock can read it. */
export type Timer = unknown;

/** Time as the reflector and the work queue see it, so that tests can own it. */
export interface Clock {
  /** Milliseconds on a scale that never goes back; only differences mean something. */
  now(): number;
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** A number in [0, 1), as Math.random gives it. */
export type Random = () => number;

/** Node fires a timer beyond 2^31-1 ms at once, which would turn a long wait into a busy loop. */
export const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, Math.min(ms, LONGEST_TIMER_MS)),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

/**
 * Resolves after `ms` milliseconds, or at once when `signal` aborts: the caller looks at the signal afterwards.
 */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clock.clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
