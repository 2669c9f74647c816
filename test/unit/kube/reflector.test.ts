import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../api/object.ts';
import { bench, recorder } from './reflectorFixture.ts';
import { refusal } from './reflectorServer.ts';

describe('a reflector mirrors a collection', () => {
  it('lists, then watches from the version of the list', async () => {
    const { server, reflector, told, start, stop } = bench();
    server.create('a');
    server.create('b');
    await start();
    await reflector.synced;
    expect(told).toEqual(['add a@101', 'add b@102']);
    expect(server.watches[0]).toMatchObject({ resourceVersion: '102', allowWatchBookmarks: true });
    await stop();
  });

  it('asks for pages of 500 and for watches of 15 to 25 s', async () => {
    const { server, start, stop } = bench({ random: () => 0.999 });
    await start();
    expect(server.lists[0]).toMatchObject({ limit: 500 });
    expect(server.watches[0]?.timeoutSeconds).toBe(24);
    await stop();
  });

  it('tells of changes in the order in which they happened, after the store has them', async () => {
    const { server, clock, reflector, told, start, stop } = bench();
    const seen: (string | undefined)[] = [];
    reflector.addHandler({ onUpdate: () => seen.push(reflector.get('shop/a')?.metadata.resourceVersion) });
    await start();
    server.create('a');
    server.update('a');
    server.update('a');
    server.remove('a');
    await clock.settle();
    expect(told).toEqual(['add a@101', 'update a@102', 'update a@103', 'delete a@104']);
    expect(seen).toEqual(['102', '103']);
    expect(reflector.get('shop/a')).toBeUndefined();
    await stop();
  });

  it('puts the pages of a list together', async () => {
    const { server, reflector, start, stop } = bench({ pageSize: 2 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) server.create(name);
    await start();
    expect(server.lists).toHaveLength(3);
    expect(reflector.list()).toHaveLength(5);
    expect(server.watches[0]?.resourceVersion).toBe('105');
    await stop();
  });

  it('tells a handler that comes later of what is there already', async () => {
    const { server, clock, reflector, start, stop } = bench();
    server.create('a');
    await start();
    const late: string[] = [];
    const remove = reflector.addHandler(recorder(late));
    server.update('a');
    await clock.settle();
    remove();
    server.update('a');
    await clock.settle();
    expect(late).toEqual(['add a@101', 'update a@102']);
    await stop();
  });

  it('stores what the transform leaves', async () => {
    const transform = (object: KubeObject): KubeObject => {
      const { name, namespace = '', uid = '', resourceVersion = '' } = object.metadata;
      return { ...object, metadata: { name, namespace, uid, resourceVersion, labels: { trimmed: 'yes' } } };
    };
    const { server, clock, reflector, start, stop } = bench({ transform });
    server.create('listed');
    await start();
    server.create('watched');
    await clock.settle();
    expect(reflector.list().map(({ metadata }) => metadata.labels)).toEqual([
      { trimmed: 'yes' },
      { trimmed: 'yes' },
    ]);
    await stop();
  });

  it('stores the object as it came when the transform throws, and says so', async () => {
    const transform = (): never => {
      throw new Error('no trimming today');
    };
    const { server, reflector, faults, start, stop } = bench({ transform });
    server.create('a');
    await start();
    expect(reflector.get('shop/a')?.metadata.resourceVersion).toBe('101');
    expect(faults).toEqual([{ during: 'transform', error: new Error('no trimming today') }]);
    await stop();
  });

  it('ends when told to, closes its connection and leaves no timer behind', async () => {
    const { server, clock, start, stop } = bench();
    await start();
    expect(server.connections).toBe(1);
    await stop();
    expect(server.connections).toBe(0);
    expect(clock.timers).toBe(0);
  });

  it('ends when a handler tells it to', async () => {
    const { server, clock, reflector } = bench();
    const end = new AbortController();
    reflector.addHandler({ onAdd: () => end.abort() });
    const running = reflector.run(end.signal);
    await clock.settle();
    server.create('last');
    await running;
    expect(clock.timers).toBe(0);
  });

  it('rejects its promise to be synced when it is ended before', async () => {
    const { server, reflector, start, stop } = bench();
    server.listFaults.push('hang');
    await start();
    await stop();
    await expect(reflector.synced).rejects.toThrow('aborted');
    expect(reflector.hasSynced).toBe(false);
  });

  it('cannot be run twice', async () => {
    const { reflector, start, stop } = bench();
    await start();
    await expect(reflector.run(new AbortController().signal)).rejects.toThrow('already');
    await stop();
  });
});

describe('handlers', () => {
  it('that throw are counted and harm neither the others nor the stream', async () => {
    const { server, clock, reflector, faults, start, stop } = bench();
    reflector.addHandler({
      onAdd: () => {
        throw new Error('a bad handler');
      },
    });
    const after: string[] = [];
    reflector.addHandler(recorder(after));
    server.create('a');
    await start();
    server.create('b');
    await clock.settle();
    expect(after).toEqual(['add a@101', 'add b@102']);
    expect(reflector.stats).toMatchObject({ handlerErrors: 2, lists: 1, watches: 1, restarts: 0 });
    expect(faults.map(({ during }) => during)).toEqual(['handler', 'handler']);
    await stop();
  });

  it('that are slow hold up neither the stream nor the order', async () => {
    const { server, clock, reflector, told, start, stop } = bench();
    const forever = new Promise<void>(() => undefined);
    const begun: string[] = [];
    const slow: (object: KubeObject) => unknown = async ({ metadata }) => {
      begun.push(metadata.name);
      await forever;
    };
    reflector.addHandler({ onAdd: slow });
    await start();
    const names = Array.from({ length: 50 }, (_, i) => `web-${i}`);
    for (const name of names) server.create(name);
    await clock.settle();
    expect(begun).toEqual(names);
    expect(told).toHaveLength(50);
    await stop();
  });

  it('that fail later are counted too', async () => {
    const { server, clock, reflector, start, stop } = bench();
    const failing: () => unknown = () => Promise.reject(new Error('later'));
    reflector.addHandler({ onAdd: failing });
    server.create('a');
    await start();
    await clock.settle();
    expect(reflector.stats.handlerErrors).toBe(1);
    await stop();
  });

  it('can add a handler while one is called, and no change is told twice', async () => {
    const { server, clock, reflector, start, stop } = bench();
    const inner: string[] = [];
    let added = false;
    reflector.addHandler({
      onAdd: () => {
        if (!added) reflector.addHandler(recorder(inner));
        added = true;
      },
    });
    server.create('a');
    await start();
    server.create('b');
    await clock.settle();
    expect(inner).toEqual(['add a@101', 'add b@102']);
    await stop();
  });
});

describe('a streaming list', () => {
  it('brings the first state and goes on as the watch', async () => {
    const { server, clock, reflector, told, start, stop } = bench({ streamingList: true });
    server.create('a');
    await start();
    server.update('a');
    await clock.settle();
    expect(server.watches).toHaveLength(1);
    expect(server.watches[0]).toMatchObject({
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
    });
    expect(server.lists).toHaveLength(0);
    expect(reflector.hasSynced).toBe(true);
    expect(told).toEqual(['add a@101', 'update a@102']);
    await stop();
  });

  it('is given up where the server cannot do it', async () => {
    const { server, clock, reflector, start, stop } = bench({ streamingList: true });
    server.streaming = false;
    server.create('a');
    await start();
    await clock.advance(1000);
    expect(server.lists).toHaveLength(1);
    expect(reflector.list()).toHaveLength(1);
    await stop();
  });

  it('that is cut before its end changes nothing', async () => {
    const { server, clock, reflector, start, stop } = bench({ streamingList: true });
    server.create('a');
    await start();
    server.compact();
    server.cut();
    server.watchFaults.push(refusal(410), 'close');
    await clock.advance(1000);
    expect(reflector.list()).toHaveLength(1);
    await clock.advance(5000);
    expect(reflector.list()).toHaveLength(1);
    expect(reflector.hasSynced).toBe(true);
    expect(server.connections).toBe(1);
    expect(server.lists).toHaveLength(1);
    await stop();
  });
});
