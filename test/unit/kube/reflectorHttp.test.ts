import { describe, expect, it, onTestFinished } from 'vitest';
import { KubeClient } from '../../../kube/client.ts';
import { listWatchOf } from '../../../kube/listWatch.ts';
import { Reflector, type ReflectorFault, type ReflectorOptions } from '../../../kube/reflector.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import type { KubeObject } from '../../../api/object.ts';
import { Tale } from './reflectorFixture.ts';
import { type CollectionOverHttp, serveCollection } from './reflectorHttpServer.ts';
import { refusal, stateOf } from './reflectorServer.ts';
import { transportTo } from './transportFixture.ts';

const CONFIG_MAPS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: ['list', 'watch'],
};

interface Mirror extends CollectionOverHttp {
  reflector: Reflector<KubeObject>;
  tale: Tale;
  faults: ReflectorFault[];
}

/** A reflector that runs on real time and real sockets until the test ends. */
async function mirror(
  options: Partial<ReflectorOptions<KubeObject>> = {},
  before?: (s: CollectionOverHttp) => void,
): Promise<Mirror> {
  const served = await serveCollection();
  before?.(served);
  const faults: ReflectorFault[] = [];
  const reflector = new Reflector(listWatchOf(new KubeClient(transportTo(served.http.url)), CONFIG_MAPS), {
    onFault: (fault) => faults.push(fault),
    backoff: { baseMs: 2, maxMs: 50 },
    ...options,
  });
  const tale = new Tale();
  reflector.addHandler(tale.handler);
  const stop = new AbortController();
  const running = reflector.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await reflector.synced;
  return { ...served, reflector, tale, faults };
}

describe('over real connections', () => {
  it('goes on where an event was cut in its middle', async () => {
    const { collection, tale, faults, cutInTheMiddle } = await mirror();
    collection.create('a');
    await tale.until(1);
    await cutInTheMiddle();
    collection.create('b');
    await tale.until(2);
    expect(tale.lines).toEqual(['add a@101', 'add b@102']);
    expect(collection.lists).toHaveLength(1);
    expect(faults.map(({ during }) => during)).toEqual(['watch']);
  });

  it('misses nothing while connections are cut all the time', async () => {
    const { collection, http, reflector, tale } = await mirror();
    for (let i = 0; i < 30; i += 1) {
      collection.create(`web-${i}`);
      if (i % 3 === 0) for (const socket of http.sockets) socket.destroy();
      if (i % 3 === 1) await tale.until(i);
    }
    await tale.until(30);
    expect(tale.lines).toEqual(Array.from({ length: 30 }, (_, i) => `add web-${i}@${101 + i}`));
    expect(stateOf(reflector.list())).toEqual(collection.state());
    expect(collection.lists).toHaveLength(1);
  });

  it('gives up a half-open connection and closes its own end', async () => {
    const { collection, http, tale } = await mirror({ silenceMs: 100 });
    await tale.settled(() => collection.connections === 1);
    collection.goHalfOpen();
    collection.create('a');
    await tale.until(1);
    expect(tale.lines).toEqual(['add a@101']);
    expect(collection.lists).toHaveLength(1);
    await tale.settled(() => http.sockets.size <= 2);
  });

  it('lists again after 410, as status and as ERROR event', async () => {
    const { collection, tale, reflector } = await mirror();
    collection.create('a');
    await tale.until(1);
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired', message: 'too old' };
    collection.sendRaw({ type: 'ERROR', object: status as never });
    collection.goHalfOpen();
    collection.create('b');
    await tale.until(2);
    expect(reflector.stats).toMatchObject({ lists: 2, expired: 1 });

    await tale.settled(() => collection.connections === 1);
    collection.watchFaults.push(refusal(410, { reason: 'Expired' }));
    collection.cut();
    collection.remove('a');
    await tale.until(3);
    expect(tale.lines).toEqual(['add a@101', 'add b@102', 'delete? a@101']);
    expect(reflector.stats).toMatchObject({ lists: 3, expired: 2 });
  });

  it('comes through a server that answers 500, 503 and nothing at all', async () => {
    const before = ({ collection }: CollectionOverHttp): void => {
      collection.create('a');
      collection.listFaults.push(refusal(500), new Error('cut'), refusal(503));
      collection.watchFaults.push(new Error('cut'), refusal(500));
    };
    const { collection, tale, faults } = await mirror({}, before);
    collection.create('b');
    await tale.until(2);
    expect(collection.lists).toHaveLength(4);
    expect(faults.map(({ during }) => during)).toEqual(['list', 'list', 'list', 'watch', 'watch']);
  });

  it('gets its first state through the watch where it is told to', async () => {
    const before = ({ collection }: CollectionOverHttp): void => collection.create('a');
    const { collection, tale } = await mirror({ streamingList: true }, before);
    collection.update('a');
    await tale.until(2);
    expect(tale.lines).toEqual(['add a@101', 'update a@102']);
    expect(collection.lists).toEqual([]);
    expect(collection.watches).toHaveLength(1);
  });

  it('reads 5,000 objects page by page', async () => {
    const before = ({ collection }: CollectionOverHttp): void => {
      for (let i = 0; i < 5000; i += 1) collection.create(`web-${i}`);
    };
    const { collection, reflector } = await mirror({}, before);
    expect(reflector.list()).toHaveLength(5000);
    expect(collection.lists).toHaveLength(10);
  });
});
