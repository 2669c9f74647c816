import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { connect as connectTcp, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { KubeClient } from '../../../kube/client.ts';
import { connect } from '../../../kube/config.ts';
import { ConnectionError } from '../../../kube/errors.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { configMap, errorOf, USER_AGENT, useClient } from './clientFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

interface Relay {
  server: string;
  opened: number;
  cut: () => void;
}

/** Passes bytes to the API server, counts connections, and cuts them when asked. */
async function relayTo(server: string): Promise<Relay> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  const listener = createServer((incoming) => {
    relay.opened++;
    const outgoing = connectTcp(Number(port), hostname);
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => sockets.delete(socket) && other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, hostname, resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(async () => {
    cut();
    await new Promise((resolve) => listener.close(resolve));
  });
  const relay = { server: `https://${hostname}:${(listener.address() as AddressInfo).port}`, opened: 0, cut };
  return relay;
}

function clientThrough(relay: Relay, connections: number): KubeClient {
  const transport = connect({ ...admin().config, server: relay.server }, { ...USER_AGENT, connections });
  onTestFinished(() => transport.close());
  return new KubeClient(transport);
}

test('hundreds of applies share a few TLS connections', async () => {
  const relay = await relayTo(admin().config.server);
  const client = clientThrough(relay, 8);
  const configMaps = await admin().resource('', 'ConfigMap');
  const objects = Array.from({ length: 200 }, (_, i) => configMap(namespace(), `c-${i}`, { i: String(i) }));
  const applied = await Promise.all(
    objects.map((object) => client.apply(configMaps, object, { fieldManager: 'convoy' })),
  );
  expect(applied.every(({ created }) => created)).toBe(true);
  await client.get(configMaps, { namespace: namespace(), name: 'c-0' });
  expect(relay.opened).toBeLessThanOrEqual(8);
});

test('a watch whose connection dies says so', async () => {
  const relay = await relayTo(admin().config.server);
  const watch = clientThrough(relay, 8).watch(await admin().resource('', 'ConfigMap'), {
    namespace: namespace(),
  });
  const read = async (): Promise<void> => {
    for await (const { type } of watch) {
      expect(type).toBe('ADDED');
      relay.cut();
    }
  };
  expect(await errorOf(read())).toBeInstanceOf(ConnectionError);
});

test('after a cut the next request opens a new connection', async () => {
  const relay = await relayTo(admin().config.server);
  const client = clientThrough(relay, 1);
  const configMaps = await admin().resource('', 'ConfigMap');
  await client.list(configMaps, { namespace: namespace() });
  relay.cut();
  expect((await client.list(configMaps, { namespace: namespace() })).resourceVersion).not.toBe('');
  expect(relay.opened).toBe(2);
});

test('a proxy in between is used, for requests and for watches', async () => {
  const targets: string[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', (request: IncomingMessage, incoming: Socket) => {
    targets.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const outgoing = connectTcp(Number(port), hostname, () => incoming.write('HTTP/1.1 200 OK\r\n\r\n'));
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const transport = connect({ ...admin().config, proxyUrl }, USER_AGENT);
  onTestFinished(async () => {
    await transport.close();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const client = new KubeClient(transport);
  const configMaps = await admin().resource('', 'ConfigMap');
  await client.create(configMaps, configMap(namespace(), 'a', {}));
  for await (const { type } of client.watch(configMaps, { namespace: namespace() })) {
    expect(type).toBe('ADDED');
    break;
  }
  expect(targets).toEqual([new URL(admin().config.server).host, new URL(admin().config.server).host]);
});
