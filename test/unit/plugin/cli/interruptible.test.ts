import { expect, it } from 'vitest';
import { interruptible } from '../../../../plugin/cli/interruptible.ts';
import type { Interrupt } from '../../../../plugin/cli/io.ts';
import { pause, systemClock } from '../../../../kube/clock.ts';

function interrupts() {
  const handlers = new Set<(interrupt: Interrupt) => void>();
  return {
    handlers,
    onInterrupt: (run: (interrupt: Interrupt) => void) => {
      handlers.add(run);
      return () => void handlers.delete(run);
    },
    press: () => handlers.forEach((run) => run({ signal: 'SIGINT', exitCode: 130 })),
  };
}

it('ends with the exit code of the interrupt, after what was begun is put in order', async () => {
  const io = interrupts();
  const order: string[] = [];
  const code = interruptible(io, async (signal) => {
    try {
      io.press();
      await pause(systemClock, 60_000, signal);
      signal.throwIfAborted();
      return 0;
    } finally {
      order.push('restored');
    }
  });
  expect(await code).toBe(130);
  expect(order).toEqual(['restored']);
  expect(io.handlers.size).toBe(0);
});

it('gives what the run gives, and throws what it throws', async () => {
  const io = interrupts();
  expect(await interruptible(io, () => Promise.resolve(7))).toBe(7);
  await expect(interruptible(io, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(io.handlers.size).toBe(0);
});
