import type { Interrupt, Io } from './io.ts';

/** Why the signal of an interruptible run was aborted. */
class Interrupted extends Error {
  override name = 'Interrupted';
  readonly exitCode: number;

  constructor({ signal, exitCode }: Interrupt) {
    super(`ended by ${signal}`);
    this.exitCode = exitCode;
  }
}

/**
 * Runs what stays until it is interrupted. On Ctrl-C its signal aborts, so that it can leave the terminal whole, and the
 * exit code is that of the interrupt; a second Ctrl-C ends the process where it stands.
 */
export async function interruptible(
  io: Pick<Io, 'onInterrupt'>,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const release = io.onInterrupt((interrupt) => {
    release();
    controller.abort(new Interrupted(interrupt));
  });
  try {
    return await run(controller.signal);
  } catch (error) {
    if (error instanceof Interrupted) return error.exitCode;
    throw error;
  } finally {
    release();
  }
}
