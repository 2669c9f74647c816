import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bench } from './reflectorFixture.ts';

const never = new AbortController().signal;

/** What a list finds that is held against the watch, when that has told all that it will. */
async function missed(
  { server, clock, reflector }: ReturnType<typeof bench>,
  meanwhile: () => void = () => undefined,
): Promise<number> {
  const found = reflector.verify(never);
  await clock.settle();
  meanwhile();
  server.bookmark();
  await clock.settle();
  return await found;
}

describe('a list that is held against what a watch has told', () => {
  it('finds nothing where nothing was missed, for one list of metadata', async () => {
    const all = bench();
    for (const name of ['a', 'b', 'c']) all.server.create(name);
    await all.start();
    all.server.update('a');
    all.server.remove('b');
    await all.clock.settle();
    expect(await missed(all)).toBe(0);
    expect(all.server.lists.slice(1)).toEqual([expect.objectContaining({ metadataOnly: true })]);
    expect(all.server.watches).toHaveLength(1);
    await all.stop();
  });

  it.each(['create', 'update', 'remove'] as const)(
    'finds a missed %s, and handlers learn of it',
    async (what) => {
      const all = bench();
      if (what !== 'create') all.server.create('a');
      await all.start();
      all.server.unseen(() => all.server[what]('a'));
      expect(await missed(all)).toBe(1);
      await all.clock.settle();
      expect(all.reflector.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(
        what === 'remove' ? [] : [all.server.state()[0]?.split('@')[1]],
      );
      expect(all.told.at(-1)).toMatch({ create: /^add a/, update: /^update a/, remove: /^delete\? a/ }[what]);
      expect(all.faults).toEqual([]);
      await all.stop();
    },
  );

  it('finds an object that was deleted and made anew unseen', async () => {
    const all = bench();
    all.server.create('a');
    await all.start();
    all.server.unseen(() => {
      all.server.remove('a');
      all.server.create('a');
    });
    expect(await missed(all)).toBe(1);
    await all.stop();
  });

  it('waits for what the watch has still to tell', async () => {
    const all = bench();
    all.server.create('a');
    await all.start();
    // In the list, and on its way to the watch.
    all.server.unseen(() => all.server.update('a'));
    expect(await missed(all, () => all.server.repeat())).toBe(0);
    expect(all.server.lists).toHaveLength(2);
    await all.stop();
  });

  it('is not misled by what happens after it', async () => {
    const all = bench();
    all.server.create('a');
    await all.start();
    const busy = (): void => {
      all.server.create('b');
      all.server.update('a');
      all.server.remove('b');
    };
    expect(await missed(all, busy)).toBe(0);
    await all.stop();
  });

  it('is one at a time', async () => {
    const all = bench();
    await all.start();
    all.server.unseen(() => all.server.create('a'));
    const first = all.reflector.verify(never);
    await all.clock.settle();
    expect(await all.reflector.verify(never)).toBe(0);
    all.server.bookmark();
    await all.clock.settle();
    expect(await first).toBe(1);
    await all.stop();
  });

  it('ends with the signal, and leaves the reflector as it was', async () => {
    const all = bench();
    await all.start();
    all.server.unseen(() => all.server.create('a'));
    const stop = new AbortController();
    const check = all.reflector.verify(stop.signal);
    await all.clock.settle();
    stop.abort(new Error('enough'));
    await expect(check).rejects.toThrow('enough');
    expect(await missed(all)).toBe(1);
    await all.stop();
  });

  it('finds exactly what was missed, whatever happens before, meanwhile and after', async () => {
    const step = fc.record({
      what: fc.constantFrom('create' as const, 'update' as const, 'remove' as const),
      name: fc.constantFrom('a', 'b', 'c'),
      isSeen: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step),
        fc.array(step.map((one) => ({ ...one, isSeen: true }))),
        async (before, after) => {
          const all = bench();
          await all.start();
          const run = ({ what, name, isSeen }: (typeof before)[number]): void => {
            if (isSeen) all.server[what](name);
            else all.server.unseen(() => all.server[what](name));
          };
          before.forEach(run);
          await all.clock.settle();
          const state = (): string[] =>
            all.reflector
              .list()
              .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion ?? ''}`)
              .sort();
          const wasWhole = JSON.stringify(state()) === JSON.stringify(all.server.state());
          const found = await missed(all, () => after.forEach(run));
          await all.clock.settle();
          if (wasWhole) expect(found).toBe(0);
          expect(state()).toEqual(all.server.state());
          await all.stop();
        },
      ),
      { numRuns: 200 },
    );
  });
});
