import { describe, expect, it } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from '../../../kube/workQueue.ts';
import { ManualClock } from './manualClock.ts';

const quiet = { onHandlerError: (): void => undefined };

/** A queue on a manual clock; the random part of each wait is nothing. */
function manual(options: Partial<WorkQueueOptions> = {}): { queue: WorkQueue; clock: ManualClock } {
  const clock = new ManualClock();
  return { queue: new WorkQueue({ ...quiet, clock, random: () => 0, ...options }), clock };
}

/** Takes what is in the queue, one by one, until it is shut down and empty. */
async function drain(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = [];
  const running = queue.run((key) => void taken.push(key), {
    concurrency: 1,
    signal: new AbortController().signal,
  });
  await queue.shutDown();
  await running;
  return taken;
}

/** A handler that waits for the test to let each key go on. */
class Gate {
  readonly begun: string[] = [];
  readonly #waiting = new Map<string, () => void>();
  #change = Promise.withResolvers<undefined>();

  readonly handler = async (key: string): Promise<void> => {
    this.begun.push(key);
    const go = Promise.withResolvers<undefined>();
    this.#waiting.set(key, () => go.resolve(undefined));
    this.#change.resolve(undefined);
    await go.promise;
  };

  /** Waits until `count` keys have been begun in all. */
  async until(count: number): Promise<void> {
    while (this.begun.length < count) {
      this.#change = Promise.withResolvers<undefined>();
      await this.#change.promise;
    }
  }

  open(key: string): void {
    this.#waiting.get(key)?.();
  }
}

describe('a key', () => {
  it('that waits is there once, however often it was added, and keeps its place', async () => {
    const { queue } = manual();
    for (const key of ['a', 'b', 'a', 'a', 'b', 'c']) queue.add(key);
    expect(queue.depth).toBe(3);
    expect(await drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('added while it is worked on is worked on once more afterwards, never twice at once', async () => {
    const { queue } = manual();
    const gate = new Gate();
    const running = queue.run(gate.handler, { concurrency: 4, signal: new AbortController().signal });
    queue.add('a');
    await gate.until(1);
    queue.add('a');
    queue.add('a');
    queue.add('b');
    await gate.until(2);
    expect(gate.begun).toEqual(['a', 'b']);
    expect(queue.depth).toBe(0);
    gate.open('a');
    await gate.until(3);
    expect(gate.begun).toEqual(['a', 'b', 'a']);
    gate.open('a');
    gate.open('b');
    await queue.shutDown();
    await running;
    expect(gate.begun).toHaveLength(3);
  });
});

describe('a delayed key', () => {
  it('is ready when its time has come, and not before', async () => {
    const { queue, clock } = manual();
    queue.addAfter('a', 1000);
    await clock.advance(999);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });

  it('with several times comes at the earliest, once', async () => {
    const { queue, clock } = manual();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 3000);
    await clock.advance(1000);
    expect(await drain(queue)).toEqual(['a']);
    expect(clock.timers).toBe(0);
  });

  it('is ready at once when the delay is nothing', () => {
    const { queue } = manual();
    queue.addAfter('a', 0);
    queue.addAfter('b', -5);
    queue.addAfter('c', NaN);
    expect(queue.depth).toBe(3);
  });

  it('comes in the order of the times, with one timer for all', async () => {
    const { queue, clock } = manual();
    const delays = [700, 100, 900, 300, 500, 200, 800, 400, 600];
    for (const ms of delays) queue.addAfter(`after ${ms}`, ms);
    queue.addAfter('after 800', 50);
    expect(clock.timers).toBe(1);
    await clock.advance(1000);
    expect(await drain(queue)).toEqual(
      [800, 100, 200, 300, 400, 500, 600, 700, 900].map((ms) => `after ${ms}`),
    );
  });

  it('may wait for longer than a timer can', async () => {
    const { queue, clock } = manual();
    const month = 31 * 86_400_000;
    queue.addAfter('a', month);
    expect(clock.nextIn).toBeLessThan(2 ** 31);
    await clock.advance(month - 1);
    expect(queue.depth).toBe(0);
    await clock.advance(1);
    expect(queue.depth).toBe(1);
  });
});

describe('a rate limited key', () => {
  it('waits twice as long each time, up to the longest wait, until it is forgotten', () => {
    const waits: number[] = [];
    const { queue } = manual({
      backoff: { baseMs: 10, maxMs: 100 },
      hooks: { retry: (_, delayMs) => waits.push(delayMs) },
    });
    for (let i = 0; i < 6; i += 1) queue.addRateLimited('a');
    expect(waits).toEqual([10, 20, 40, 80, 100, 100]);
    expect(queue.retries('a')).toBe(6);
    queue.forget('a');
    queue.addRateLimited('a');
    expect(waits.at(-1)).toBe(10);
    expect(queue.retries('a')).toBe(1);
  });

  it('counts for itself alone', () => {
    const { queue } = manual();
    queue.addRateLimited('a');
    queue.addRateLimited('a');
    queue.addRateLimited('b');
    expect([queue.retries('a'), queue.retries('b'), queue.retries('c')]).toEqual([2, 1, 0]);
  });

  it('waits a random part less, at most one half, at the longest wait too', () => {
    const waits: number[] = [];
    const draws = [0, 0.5, 0.999];
    const { queue } = manual({
      backoff: { baseMs: 100, maxMs: 100 },
      random: () => draws.shift() ?? 0,
      hooks: { retry: (_, delayMs) => waits.push(Math.round(delayMs)) },
    });
    for (let i = 0; i < 3; i += 1) queue.addRateLimited('a');
    expect(waits).toEqual([100, 75, 50]);
  });

  it('does not overflow after thousands of failures', () => {
    const waits: number[] = [];
    const { queue } = manual({ hooks: { retry: (_, delayMs) => waits.push(delayMs) } });
    for (let i = 0; i < 3000; i += 1) queue.addRateLimited('a');
    expect(waits.at(-1)).toBe(300_000);
  });
});

describe('a handler', () => {
  it('that throws is reported, and its key comes again, later each time, until it succeeds', async () => {
    const errors: string[] = [];
    const { queue, clock } = manual({
      backoff: { baseMs: 1000, maxMs: 60_000 },
      onHandlerError: (key, error) => errors.push(`${key}: ${String(error)}`),
    });
    let calls = 0;
    const done = Promise.withResolvers<undefined>();
    const handler = (): Promise<void> => {
      calls += 1;
      if (calls <= 2) return Promise.reject(new Error('not yet'));
      done.resolve(undefined);
      return Promise.resolve();
    };
    const running = queue.run(handler, { concurrency: 1, signal: new AbortController().signal });
    queue.add('a');
    await clock.advance(1000);
    expect([calls, queue.retries('a'), queue.handlerErrors]).toEqual([2, 2, 2]);
    await clock.advance(1999);
    expect(calls).toBe(2);
    await clock.advance(1);
    await done.promise;
    await clock.settle();
    expect(errors).toEqual(['a: Error: not yet', 'a: Error: not yet']);
    expect(queue.retries('a')).toBe(0);
    await queue.shutDown();
    await running;
  });

  it('that throws at once, without a promise, ends nothing', async () => {
    const { queue } = manual();
    const taken: string[] = [];
    const handler = (key: string): void => {
      taken.push(key);
      throw new Error('at once');
    };
    queue.add('a');
    queue.add('b');
    const running = queue.run(handler, { concurrency: 1, signal: new AbortController().signal });
    await queue.shutDown();
    await running;
    expect(taken).toEqual(['a', 'b']);
    expect(queue.handlerErrors).toBe(2);
  });

  it('that rate limits its own key keeps that key’s count', async () => {
    const { queue, clock } = manual({ backoff: { baseMs: 1000, maxMs: 60_000 } });
    const handler = (key: string): void => queue.addRateLimited(key);
    const running = queue.run(handler, { concurrency: 1, signal: new AbortController().signal });
    queue.add('a');
    await clock.advance(3000);
    expect(queue.retries('a')).toBe(3);
    await queue.shutDown();
    await running;
  });

  it('that never waits lets the rest of the process run in between', async () => {
    const queue = new WorkQueue(quiet);
    for (let i = 0; i < 100; i += 1) queue.add(`key-${i}`);
    const depths: number[] = [];
    const watch = setInterval(() => depths.push(queue.depth), 0);
    const busy = (): void => {
      const end = performance.now() + 1;
      while (performance.now() < end);
    };
    const running = queue.run(busy, { concurrency: 2, signal: new AbortController().signal });
    await queue.shutDown();
    await running;
    clearInterval(watch);
    expect(depths.some((depth) => depth > 0 && depth < 98)).toBe(true);
  });

  it('runs as many times at once as asked', async () => {
    const { queue } = manual();
    const gate = new Gate();
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    const running = queue.run(gate.handler, { concurrency: 2, signal: new AbortController().signal });
    await gate.until(2);
    expect(queue.depth).toBe(2);
    gate.open('a');
    await gate.until(3);
    expect(gate.begun).toEqual(['a', 'b', 'c']);
    for (const key of ['b', 'c']) gate.open(key);
    await gate.until(4);
    gate.open('d');
    await queue.shutDown();
    await running;
  });
});

describe('a weight', () => {
  const weightOf = (key: string): number => (key.startsWith('light') ? 1 / 2 : 1);

  it('lets several keys share one place, and a heavier one wait until there is room', async () => {
    const { queue } = manual();
    const gate = new Gate();
    for (const key of ['light-1', 'light-2', 'light-3', 'heavy', 'light-4']) queue.add(key);
    const signal = new AbortController().signal;
    const running = queue.run(gate.handler, { concurrency: 1, weightOf, signal });
    await gate.until(2);
    gate.open('light-1');
    await gate.until(3);
    gate.open('light-2');
    gate.open('light-3');
    await gate.until(4);
    expect(gate.begun).toEqual(['light-1', 'light-2', 'light-3', 'heavy']);
    gate.open('heavy');
    await gate.until(5);
    gate.open('light-4');
    await queue.shutDown();
    await running;
    expect(gate.begun).toEqual(['light-1', 'light-2', 'light-3', 'heavy', 'light-4']);
  });

  it('lets no light key overtake a heavy one, which would wait for ever', async () => {
    const { queue } = manual();
    const gate = new Gate();
    const signal = new AbortController().signal;
    const running = queue.run(gate.handler, { concurrency: 1, weightOf, signal });
    queue.add('light-1');
    await gate.until(1);
    queue.add('heavy');
    queue.add('light-2');
    gate.open('light-1');
    await gate.until(2);
    expect(gate.begun).toEqual(['light-1', 'heavy']);
    gate.open('heavy');
    await gate.until(3);
    gate.open('light-2');
    await queue.shutDown();
    await running;
  });
});

describe('groups', () => {
  const groupOf = (key: string): string => key.slice(0, key.indexOf('/'));

  it('take turns, so that one with 10,000 keys starves no other', async () => {
    const { queue } = manual({ groupOf });
    for (let i = 0; i < 10_000; i += 1) queue.add(`big/${i}`);
    for (let i = 0; i < 3; i += 1) queue.add(`small/${i}`);
    queue.add('third/0');
    const taken = await drain(queue);
    expect(taken.slice(0, 8)).toEqual([
      'big/0',
      'small/0',
      'third/0',
      'big/1',
      'small/1',
      'big/2',
      'small/2',
      'big/3',
    ]);
    expect(taken).toHaveLength(10_004);
  });

  it('that come back queue behind those that wait', async () => {
    const { queue } = manual({ groupOf });
    const again = ['one/1', 'one/2'];
    const taken: string[] = [];
    for (const key of ['one/0', 'two/0', 'three/0']) queue.add(key);
    const handler = (key: string): void => {
      taken.push(key);
      const next = again.shift();
      if (next !== undefined) queue.add(next);
      if (taken.length === 5) void queue.shutDown();
    };
    await queue.run(handler, { concurrency: 1, signal: new AbortController().signal });
    expect(taken).toEqual(['one/0', 'two/0', 'three/0', 'one/1', 'one/2']);
  });
});

describe('the end', () => {
  it('by shutDown works off what is ready, takes nothing new and drops what is delayed', async () => {
    const { queue, clock } = manual();
    const gate = new Gate();
    const running = queue.run(gate.handler, { concurrency: 1, signal: new AbortController().signal });
    for (const key of ['a', 'b']) queue.add(key);
    queue.addAfter('later', 1000);
    await gate.until(1);
    queue.add('a');
    let drained = false;
    const end = queue.shutDown().then(() => (drained = true));
    queue.add('new');
    queue.addRateLimited('new');
    queue.addAfter('new', 10);
    expect(clock.timers).toBe(0);
    gate.open('a');
    await gate.until(2);
    gate.open('b');
    await gate.until(3);
    await clock.settle();
    expect(drained).toBe(false);
    gate.open('a');
    await end;
    await running;
    expect(gate.begun).toEqual(['a', 'b', 'a']);
  });

  it('by shutDown wakes idle workers', async () => {
    const { queue } = manual();
    const running = queue.run(() => undefined, { concurrency: 3, signal: new AbortController().signal });
    await queue.shutDown();
    await expect(running).resolves.toBeUndefined();
  });

  it('by signal waits for handlers at work, and leaves the rest', async () => {
    const { queue } = manual();
    const gate = new Gate();
    const stop = new AbortController();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    let ended = false;
    const running = queue
      .run(gate.handler, { concurrency: 2, signal: stop.signal })
      .then(() => (ended = true));
    await gate.until(2);
    stop.abort();
    gate.open('a');
    await Promise.resolve();
    expect(ended).toBe(false);
    gate.open('b');
    await running;
    expect(gate.begun).toEqual(['a', 'b']);
    expect(queue.depth).toBe(1);
    // Nobody is left to work it off.
    await queue.shutDown();
  });

  it('by signal wakes idle workers, hands the signal to handlers, and lets the queue be run again', async () => {
    const { queue, clock } = manual();
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const running = queue.run((_, signal) => void signals.push(signal), {
      concurrency: 2,
      signal: stop.signal,
    });
    queue.add('a');
    await clock.settle();
    stop.abort();
    await running;
    expect(signals).toEqual([stop.signal]);
    queue.add('b');
    expect(await drain(queue)).toEqual(['b']);
  });

  it.each([0, -1, 1.5, NaN])('does not begin with a concurrency of %s', async (concurrency) => {
    const { queue } = manual();
    const { signal } = new AbortController();
    await expect(queue.run(() => undefined, { concurrency, signal })).rejects.toThrow(RangeError);
  });

  it('comes before another run begins', async () => {
    const { queue } = manual();
    const { signal } = new AbortController();
    const running = queue.run(() => undefined, { concurrency: 1, signal });
    await expect(queue.run(() => undefined, { concurrency: 1, signal })).rejects.toThrow('already');
    await queue.shutDown();
    await running;
  });
});

describe('the hooks', () => {
  it('tell depth, how long a key waited and how long it took', async () => {
    const told: string[] = [];
    const { queue, clock } = manual({
      hooks: {
        depth: (keys) => told.push(`depth ${keys}`),
        latency: (ms, key) => told.push(`${key} waited ${ms}`),
        workDuration: (ms, key) => told.push(`${key} took ${ms}`),
      },
    });
    const gate = new Gate();
    queue.add('a');
    queue.add('b');
    await clock.advance(30);
    const running = queue.run(gate.handler, { concurrency: 1, signal: new AbortController().signal });
    await clock.advance(7);
    gate.open('a');
    await gate.until(2);
    gate.open('b');
    await queue.shutDown();
    await running;
    expect(told).toEqual([
      'depth 1',
      'depth 2',
      'depth 1',
      'a waited 30',
      'a took 7',
      'depth 0',
      'b waited 37',
      'b took 0',
    ]);
  });
});
