import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from '../../../kube/workQueue.ts';
import { ManualClock } from './manualClock.ts';

const key = fc.constantFrom('x/a', 'x/b', 'x/c', 'y/a', 'y/b');
const steps = fc.array(
  fc.oneof(
    key.map((k) => (queue: WorkQueue) => queue.add(k)),
    fc.tuple(key, fc.nat(500)).map(
      ([k, ms]) =>
        (queue: WorkQueue) =>
          queue.addAfter(k, ms),
    ),
    key.map((k) => (queue: WorkQueue) => queue.addRateLimited(k)),
    key.map((k) => (queue: WorkQueue) => queue.forget(k)),
    fc.nat(300).map((ms) => (_: WorkQueue, clock: ManualClock) => clock.advance(ms)),
  ),
  { maxLength: 60 },
);

describe('for any adds, delays and failures', () => {
  it('no key is worked on twice at once, and each add is followed by work that succeeds', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(3)),
        async (script, concurrency, draws) => {
          const clock = new ManualClock();
          const queue = new WorkQueue({
            onHandlerError: () => undefined,
            groupOf: (k) => k.slice(0, 1),
            backoff: { baseMs: 10, maxMs: 200 },
            clock,
          });
          const atWork = new Set<string>();
          const pending = new Set<string>();
          let twice = false;
          const handler = async (k: string): Promise<void> => {
            twice ||= atWork.has(k);
            atWork.add(k);
            pending.delete(k);
            const draw = Number(draws.next().value);
            for (let turn = 0; turn < draw; turn += 1) await nextTurn();
            atWork.delete(k);
            if (draw === 3) {
              pending.add(k);
              throw new Error('unlucky');
            }
          };
          const running = queue.run(handler, { concurrency, signal: new AbortController().signal });
          const add = queue.add.bind(queue);
          queue.add = (k) => {
            pending.add(k);
            add(k);
          };
          for (const step of script) await step(queue, clock);
          // Each round is longer than the longest delay; failures come from a draw, so they end.
          for (let round = 0; round < 200 && (pending.size > 0 || clock.timers > 0); round += 1)
            await clock.advance(501);
          expect(twice).toBe(false);
          expect([...pending]).toEqual([]);
          await queue.shutDown();
          await running;
          expect(queue.depth).toBe(0);
        },
      ),
      { numRuns: 100 },
    );
  }, 30_000);
});
