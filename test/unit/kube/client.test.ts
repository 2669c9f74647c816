import { describe, expect, it } from 'vitest';
import { KubeClient } from '../../../kube/client.ts';
import { ApiError, ProtocolError } from '../../../kube/errors.ts';
import type { ApiResource } from '../../../kube/resource.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const CONFIG_MAP: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: [],
};

const named = (name: string): unknown => ({ metadata: { name } });

/** Faults and answers that an API server gives only at rare moments; the rest is tested on a real one. */
describe('listAll', () => {
  it('goes through all pages', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      const token = new URL(url, 'http://x').searchParams.get('continue');
      const page = token === null ? [named('a'), named('b')] : [named('c')];
      const metadata = { resourceVersion: '7', ...(token === null ? { continue: 'next' } : {}) };
      sendJson(response, 200, { kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: page });
    });
    const { items, resourceVersion } = await new KubeClient(transportTo(server.url)).listAll(CONFIG_MAP, {
      limit: 2,
    });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c']);
    expect(items[2]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(resourceVersion).toBe('7');
    expect(server.received.map(({ url }) => url)).toEqual([
      '/api/v1/configmaps?limit=2',
      '/api/v1/configmaps?limit=2&continue=next',
    ]);
  });

  it('begins again without pages where the snapshot is gone, and doubles nothing', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      const query = new URL(url, 'http://x').searchParams;
      if (query.has('continue'))
        sendJson(response, 410, status(410, 'Expired', 'the continue parameter is too old'));
      else if (query.has('limit'))
        sendJson(response, 200, {
          metadata: { resourceVersion: '7', continue: 'next' },
          items: [named('a')],
        });
      else sendJson(response, 200, { metadata: { resourceVersion: '9' }, items: [named('a'), named('b')] });
    });
    const { items, resourceVersion } = await new KubeClient(transportTo(server.url)).listAll(CONFIG_MAP, {
      limit: 1,
    });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(resourceVersion).toBe('9');
  });

  it('reads `items: null` as an empty list', async () => {
    const server = await HttpServer.start((_, response) =>
      sendJson(response, 200, { metadata: { resourceVersion: '1' }, items: null }),
    );
    expect((await new KubeClient(transportTo(server.url)).listAll(CONFIG_MAP)).items).toEqual([]);
  });

  it('refuses an answer that is no list', async () => {
    const server = await HttpServer.start((_, response) =>
      sendJson(response, 200, { kind: 'ConfigMap', metadata: {} }),
    );
    expect(await errorOf(new KubeClient(transportTo(server.url)).listAll(CONFIG_MAP))).toBeInstanceOf(
      ProtocolError,
    );
  });
});

describe('watch', () => {
  const watchThat = async (...lines: unknown[]): Promise<unknown[]> => {
    const server = await HttpServer.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    });
    return await Array.fromAsync(
      new KubeClient(transportTo(server.url)).watch(CONFIG_MAP, { namespace: 'shop' }),
    );
  };

  it('throws an ERROR event as what it is', async () => {
    const error = await errorOf(
      watchThat({ type: 'ERROR', object: status(410, 'Expired', 'too old resource version: 1 (5)') }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 410,
      reason: 'Expired',
      message: 'watch /api/v1/namespaces/shop/configmaps: too old resource version: 1 (5) (410 Expired)',
    });
  });

  it.each([{ type: 'NEWS', object: {} }, { type: 'ADDED' }, 'text', null])(
    'refuses the line %j',
    async (line) => {
      expect(await errorOf(watchThat(line))).toBeInstanceOf(ProtocolError);
    },
  );
});

describe('answers that are none of an API server', () => {
  it('are refused', async () => {
    const server = await HttpServer.start((_, response) => response.end('<h1>Log in</h1>'));
    const error = await errorOf(
      new KubeClient(transportTo(server.url)).get(CONFIG_MAP, { namespace: 'shop', name: 'a' }),
    );
    expect(error).toBeInstanceOf(ProtocolError);
  });
});
