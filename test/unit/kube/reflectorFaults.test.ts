import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../kube/errors.ts';
import type { ReflectorFault } from '../../../kube/reflector.ts';
import { isOlderVersion } from '../../../kube/resourceVersion.ts';
import { bench } from './reflectorFixture.ts';
import { configMap, refusal, stateOf } from './reflectorServer.ts';

const reset = (): ConnectionError =>
  new ConnectionError('GET /watch', Object.assign(new Error(), { code: 'ECONNRESET' }));

describe('a connection that ends', () => {
  it.each([
    ['cleanly', undefined],
    ['with an error', reset()],
  ])('%s is resumed from the last event, without a list', async (_, error) => {
    const { server, clock, told, start, stop } = bench();
    server.create('a');
    await start();
    server.create('b');
    await clock.settle();
    server.cut(error);
    server.create('c');
    await clock.advance(1000);
    expect(told).toEqual(['add a@101', 'add b@102', 'add c@103']);
    expect(server.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['101', '102']);
    expect(server.lists).toHaveLength(1);
    await stop();
  });

  it('is resumed from the last bookmark, though no event came', async () => {
    const { server, clock, reflector, start, stop } = bench();
    await start();
    server.bookmark();
    server.bookmark();
    await clock.settle();
    // Without the bookmarks, the version of the list would be too old by now.
    server.compact();
    server.cut();
    await clock.advance(1000);
    expect(server.watches.map(({ resourceVersion }) => resourceVersion)).toEqual(['100', '102']);
    expect(reflector.stats).toMatchObject({ lists: 1, watches: 2, restarts: 1, expired: 0 });
    await stop();
  });

  it('keeps its place over many ends', async () => {
    const { server, clock, told, start, stop } = bench();
    await start();
    for (let i = 0; i < 10; i += 1) {
      server.create(`web-${i}`);
      server.cut(i % 2 === 0 ? undefined : reset());
      await clock.advance(20_000);
    }
    expect(told).toEqual(Array.from({ length: 10 }, (_, i) => `add web-${i}@${101 + i}`));
    expect(server.lists).toHaveLength(1);
    await stop();
  });

  it('in the server’s own time is followed at once by the next', async () => {
    const { server, clock, start, stop } = bench();
    await start();
    await clock.advance(20_000);
    server.cut();
    await clock.settle();
    expect(server.watches).toHaveLength(2);
    await stop();
  });

  it('at once each time makes the next one wait longer', async () => {
    const { server, clock, start, stop } = bench();
    server.watchFaults.push('close', 'close', 'close', 'close');
    await start();
    // 0.6 + 1.2 + 2.4 + 4.8 seconds
    await clock.advance(4200);
    expect(server.watches).toHaveLength(4);
    await clock.advance(4800);
    expect(server.watches).toHaveLength(5);
    await stop();
  });
});

describe('watches that are cut', () => {
  it('after they held for a while do not pay for what failed before', async () => {
    const { server, clock, start, stop } = bench();
    await start();
    for (let i = 0; i < 8; i += 1) {
      await clock.advance(6_000);
      server.cut(reset());
      await clock.advance(800);
    }
    expect(server.watches).toHaveLength(9);
    expect(server.lists).toHaveLength(1);
    await stop();
  });

  it('do, where there was nobody to cut them', async () => {
    const { server, clock, start, stop } = bench();
    const nobody = new ConnectionError(
      'GET /watch',
      Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }),
    );
    await start();
    for (let i = 0; i < 8; i += 1) {
      await clock.advance(6_000);
      server.cut(nobody);
      await clock.advance(800);
    }
    expect(server.watches.length).toBeLessThan(7);
    await stop();
  });
});

describe('a half-open connection', () => {
  it('is given up after 28 s, in which a server would have ended the watch, and resumed', async () => {
    const { server, clock, told, faults, start, stop } = bench();
    await start();
    server.goHalfOpen();
    server.create('a');
    await clock.advance(27_000);
    expect(told).toEqual([]);
    await clock.advance(2000);
    expect(told).toEqual(['add a@101']);
    expect(faults.map(({ error }) => String(error))).toEqual(['SilenceError: watch: nothing came for 28 s']);
    expect(server.watches.map(({ signal }) => signal?.aborted)).toEqual([true, false]);
    expect(server.lists).toHaveLength(1);
    await stop();
  });

  it('is not suspected while bookmarks come', async () => {
    const { server, clock, start, stop } = bench();
    await start();
    for (let round = 0; round < 8; round += 1) {
      await clock.advance(20_000);
      server.bookmark();
      await clock.settle();
    }
    expect(server.watches).toHaveLength(1);
    await stop();
  });

  it('may be silent for longer in a crowd, whose watches are longer', async () => {
    const { server, clock, start, stop } = bench({ crowd: () => 1_000 });
    await start();
    await clock.advance(200_000);
    expect(server.watches).toHaveLength(1);
    expect(server.watches[0]?.timeoutSeconds).toBeGreaterThanOrEqual(200);
    await clock.advance(150_000);
    expect(server.watches.length).toBeGreaterThan(1);
    await stop();
  });

  it('that never answers a list or a watch is given up, though it ignores its signal', async () => {
    const { server, clock, told, start, stop } = bench({ silenceMs: 10_000 });
    server.create('a');
    server.listFaults.push('hang');
    server.watchFaults.push('hang');
    await start();
    await clock.advance(11_000);
    expect(told).toEqual(['add a@101']);
    expect(server.lists).toHaveLength(2);
    await clock.advance(12_000);
    expect(server.connections).toBe(1);
    await stop();
  });
});

describe('a version that the server has forgotten', () => {
  it('at the start of a watch leads to one list, and what was missed is made up', async () => {
    const { server, clock, reflector, told, faults, start, stop } = bench();
    server.create('kept');
    server.create('changed');
    server.create('gone');
    await start();
    server.cut();
    server.update('changed');
    server.remove('gone');
    server.create('new');
    server.compact();
    await clock.advance(5000);
    expect(told.slice(3)).toEqual(['delete? gone@103', 'update changed@104', 'add new@106']);
    expect(reflector.stats).toMatchObject({ lists: 2, expired: 1 });
    expect(faults).toEqual([]);
    await stop();
  });

  it('in the middle of a watch (an ERROR event) does the same', async () => {
    const { server, clock, reflector, told, start, stop } = bench();
    await start();
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'too old' };
    server.sendRaw({ type: 'ERROR', object: status as never });
    server.goHalfOpen();
    server.create('a');
    await clock.advance(1000);
    expect(told).toEqual(['add a@101']);
    expect(reflector.stats).toMatchObject({ lists: 2, expired: 1 });
    await stop();
  });

  it('again and again, right after each list, does not make a storm of lists', async () => {
    const { server, clock, start, stop } = bench();
    server.watchFaults.push(...Array.from({ length: 100 }, () => refusal(410)));
    await start();
    await clock.advance(60_000);
    expect(server.lists.length).toBeLessThan(9);
    await stop();
  });

  it('while the pages of a list are read makes it list again without pages', async () => {
    const { server, reflector, start, stop } = bench({ pageSize: 2 });
    for (const name of ['a', 'b', 'c']) server.create(name);
    const list = server.list.bind(server);
    server.list = async (options) => {
      const page = await list(options);
      if (server.lists.length === 1) {
        server.create('d');
        server.compact();
      }
      return page;
    };
    await start();
    expect(server.lists.map(({ limit }) => limit)).toEqual([2, 2, undefined]);
    expect(stateOf(reflector.list())).toEqual(server.state());
    await stop();
  });

  it('newer than the server itself, as after a restore from a backup, leads to a list', async () => {
    const { server, clock, start, stop } = bench();
    await start();
    server.watchFaults.push(refusal(504, { reason: 'Timeout', cause: 'ResourceVersionTooLarge' }));
    server.cut(reset());
    await clock.advance(5000);
    expect(server.lists).toHaveLength(2);
    await stop();
  });
});

describe('deletions that no watch told', () => {
  it('of an object made again under its name are seen as delete and add', async () => {
    const { server, clock, told, start, stop } = bench();
    server.create('a');
    await start();
    server.cut();
    server.remove('a');
    server.create('a');
    server.compact();
    await clock.advance(5000);
    expect(told).toEqual(['add a@101', 'delete? a@101', 'add a@103']);
    await stop();
  });

  it('are seen from an event for another uid of the name', async () => {
    const { server, clock, told, start, stop } = bench();
    server.create('a');
    await start();
    const other = { name: 'a', namespace: 'shop', uid: 'another' };
    server.sendRaw({ type: 'MODIFIED', object: configMap({ ...other, resourceVersion: '150' }) });
    server.sendRaw({
      type: 'DELETED',
      object: configMap({ ...other, uid: 'a third', resourceVersion: '151' }),
    });
    await clock.settle();
    expect(told).toEqual(['add a@101', 'delete? a@101', 'add a@150', 'delete? a@150']);
    await stop();
  });

  it('are told with the final state where it was seen', async () => {
    const { server, clock, told, start, stop } = bench();
    server.create('a');
    await start();
    server.remove('a');
    await clock.settle();
    expect(told).toEqual(['add a@101', 'delete a@102']);
    await stop();
  });
});

describe('events that come twice', () => {
  it.each([
    ['99', '100', true],
    ['100', '99', false],
    ['100', '100', false],
    ['18446744073709551616', '9', false],
    ['abc', '100', false],
    ['', '100', false],
    [undefined, '100', false],
    ['100', undefined, false],
  ])('are known by their version: %s is older than %s: %s', (a, b, older) => {
    expect(isOlderVersion(a, b)).toBe(older);
  });

  it('are told once, and bring nothing back that was deleted since', async () => {
    const { server, clock, reflector, told, start, stop } = bench();
    await start();
    server.create('a');
    server.repeat();
    server.update('a');
    server.repeat();
    server.repeat(1);
    server.remove('a');
    server.repeat(2);
    server.repeat();
    await clock.settle();
    expect(told).toEqual(['add a@101', 'update a@102', 'delete a@103']);
    server.cut();
    await clock.advance(1000);
    expect(server.watches.at(-1)?.resourceVersion).toBe('103');
    expect(reflector.list()).toEqual([]);
    await stop();
  });
});

describe('a server in trouble', () => {
  it('that answers 500 gets no storm of lists', async () => {
    const { server, clock, faults, start, stop } = bench();
    server.listFaults.push(...Array.from({ length: 100 }, () => refusal(500)));
    await start();
    await clock.advance(120_000);
    // 0.6 + 1.2 + 2.4 + 4.8 + 9.6 + 19.2 seconds, then one each 22.5 seconds.
    expect(server.lists.length).toBeLessThanOrEqual(10);
    expect(faults).toHaveLength(server.lists.length);
    await stop();
  });

  it('that answers a watch with 500 is asked for the same version again, and at last for a list', async () => {
    const { server, clock, start, stop } = bench();
    server.watchFaults.push(...Array.from({ length: 5 }, () => refusal(500)));
    await start();
    await clock.advance(10_000);
    expect(server.watches.map(({ resourceVersion }) => resourceVersion)).toEqual([
      '100',
      '100',
      '100',
      '100',
      '100',
    ]);
    expect(server.lists).toHaveLength(1);
    await clock.advance(20_000);
    expect(server.lists).toHaveLength(2);
    expect(server.connections).toBe(1);
    await stop();
  });

  it('that is away for an hour is resumed, and not asked for everything again', async () => {
    const { server, clock, told, start, stop } = bench();
    await start();
    const outage = [reset(), refusal(503), refusal(429), refusal(401)];
    server.watchFaults.push(...Array.from({ length: 30 }, () => outage).flat());
    server.cut(reset());
    server.create('a');
    await clock.advance(3_600_000);
    expect(told).toEqual(['add a@101']);
    expect(server.lists).toHaveLength(1);
    await stop();
  });

  it('that was not there for long is asked within 8 s after it is back', async () => {
    const { server, clock, told, start, stop } = bench();
    await start();
    server.watchFaults.push(...Array.from({ length: 40 }, reset));
    server.cut(reset());
    await clock.advance(180_000);
    server.watchFaults.length = 0;
    server.create('a');
    await clock.advance(8_000);
    expect(told).toEqual(['add a@101']);
    await stop();
  });

  it('that says Retry-After is left alone for so long', async () => {
    const { server, clock, start, stop } = bench();
    server.listFaults.push(refusal(429, { retryAfterMs: 20_000 }));
    await start();
    await clock.advance(19_900);
    expect(server.lists).toHaveLength(1);
    await clock.advance(200);
    expect(server.lists).toHaveLength(2);
    await stop();
  });

  it('that asks for a year is asked again after five minutes', async () => {
    const { server, clock, start, stop } = bench();
    server.watchFaults.push(refusal(503, { retryAfterMs: 365 * 86_400_000 }));
    await start();
    await clock.advance(301_000);
    expect(server.connections).toBe(1);
    await stop();
  });

  it('is waited for anew from the shortest wait once it was well', async () => {
    const { server, clock, start, stop } = bench();
    server.listFaults.push(...Array.from({ length: 6 }, () => refusal(500)));
    await start();
    await clock.advance(60_000);
    server.create('a');
    await clock.settle();
    server.cut(reset());
    await clock.advance(700);
    expect(server.connections).toBe(1);
    await stop();
  });

  it('is waited for anew from the shortest wait after two quiet minutes', async () => {
    const { server, clock, start, stop } = bench({ silenceMs: 150_000 });
    server.listFaults.push(...Array.from({ length: 6 }, () => refusal(500)));
    await start();
    await clock.advance(60_000);
    expect(server.connections).toBe(1);
    await clock.advance(121_000);
    server.cut(reset());
    await clock.advance(700);
    expect(server.connections).toBe(1);
    await stop();
  });

  it.each([
    ['without a version', { items: [], resourceVersion: '' }],
    ['with an object without a name', { items: [{ metadata: {} }], resourceVersion: '7' }],
    ['with an object without metadata', { items: [{}], resourceVersion: '7' }],
  ])('that sends a list %s is asked again, and no watch begins from it', async (_, page) => {
    const { server, clock, reflector, faults, start, stop } = bench();
    const list = server.list.bind(server);
    server.list = async (options) => {
      const real = await list(options);
      return server.lists.length === 1 ? (page as never) : real;
    };
    await start();
    expect([server.watches.length, reflector.hasSynced]).toEqual([0, false]);
    expect(faults.map(({ error }) => (error as Error).name)).toEqual(['ProtocolError']);
    await clock.advance(1000);
    expect([server.watches.length, reflector.hasSynced]).toEqual([1, true]);
    await stop();
  });

  it.each([
    ['an object without a name', { type: 'ADDED', object: { metadata: { resourceVersion: '150' } } }],
    ['an event without a version', { type: 'MODIFIED', object: configMap({ name: 'b', namespace: 'shop' }) }],
    ['an event without metadata', { type: 'DELETED', object: {} }],
  ])('that sends %s is listed again, and nothing is lost', async (_, event) => {
    const { server, clock, reflector, faults, start, stop } = bench();
    server.create('a');
    await start();
    server.sendRaw(event as never);
    server.create('b');
    await clock.advance(1000);
    expect(stateOf(reflector.list())).toEqual(server.state());
    expect(faults.map(({ error }) => (error as Error).name)).toEqual(['ProtocolError']);
    expect(server.lists).toHaveLength(2);
    // The spoilt connection was closed from this side.
    expect(server.watches[0]?.signal?.aborted).toBe(true);
    expect(server.left).toBe(1);
    await stop();
  });

  it('whose pages never end is not followed for ever', async () => {
    const fault = Promise.withResolvers<ReflectorFault>();
    const { server, start, stop } = bench({ onFault: fault.resolve });
    server.list = (options) => {
      server.lists.push(options);
      return Promise.resolve({ items: [], resourceVersion: '1', continue: 'more' });
    };
    await start();
    expect(String((await fault.promise).error)).toContain('does not end after 10000 pages');
    expect(server.lists).toHaveLength(10_000);
    await stop();
  });
});

describe('whether changes arrive', () => {
  it.each([
    ['a refusal', 403, false],
    ['a passing trouble, which a resume heals without loss', 503, true],
  ])('%s (%d) leaves it at %s, and the next news end it', async (_, status, isFollowing) => {
    const { server, clock, reflector, start, stop } = bench();
    expect(reflector.isFollowing).toBe(false);
    await start();
    expect(reflector.isFollowing).toBe(true);
    server.watchFaults.push(refusal(status));
    server.cut();
    await clock.advance(1000);
    expect(reflector.isFollowing).toBe(isFollowing);
    await clock.advance(60_000);
    server.bookmark();
    await clock.settle();
    expect(reflector.isFollowing).toBe(true);
    await stop();
  });
});
