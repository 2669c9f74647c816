import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, isGone, ProtocolError } from '../../../kube/errors.ts';
import { jsonLines } from '../../../kube/jsonLines.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const WATCH = { method: 'GET', path: '/watch' } as const;

async function collect(lines: AsyncIterable<unknown>): Promise<unknown[]> {
  return await Array.fromAsync(lines);
}

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

describe('lines of JSON', () => {
  const values = [{ name: 'Zürich 🚢' }, { list: [1, 2, 'ü'] }, 'é', { empty: {} }];
  const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('\n'));

  it.each([1, 2, 3, 7, 1000])('stay whole when they arrive in chunks of %i bytes', async (size) => {
    expect(await collect(jsonLines(chunksOf(bytes, size), 1000))).toEqual(values);
  });

  it('may have a last one without an end', async () => {
    expect(await collect(jsonLines(chunksOf(Buffer.from('{"a":1}\n{"b":2}'), 4), 100))).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });

  it('are refused above the limit, before the end of the line has come', async () => {
    const endless = chunksOf(Buffer.from('x'.repeat(5000)), 100);
    expect(await errorOf(collect(jsonLines(endless, 1000)))).toBeInstanceOf(ProtocolError);
    expect((await endless.next()).done).toBe(true);
  });

  it('are refused where the last one is cut off', async () => {
    expect(await errorOf(collect(jsonLines(chunksOf(Buffer.from('{"a":1}\n{"b":'), 4), 100)))).toBeInstanceOf(
      ProtocolError,
    );
  });
});

describe('stream', () => {
  it('yields each line as it comes and ends when the server ends', async () => {
    const next = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.write('{"n":1}\n');
      void next.promise.then(() => response.end('{"n":2}\n'));
    });
    const seen: unknown[] = [];
    for await (const line of await transportTo(server.url).stream(WATCH)) {
      seen.push(line);
      next.resolve(undefined);
    }
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('throws when the connection is cut', async () => {
    const server = await HttpServer.start((_, response) => {
      response.write('{"n":1}\n', () => response.socket?.destroy());
    });
    const seen: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const line of await transportTo(server.url).stream(WATCH)) seen.push(line);
    };
    expect(await errorOf(read())).toBeInstanceOf(ConnectionError);
    expect(seen).toEqual([{ n: 1 }]);
  });

  it('throws the refusal where it does not begin', async () => {
    const server = await HttpServer.start((_, response) =>
      sendJson(response, 410, status(410, 'Expired', 'too old')),
    );
    const error = await errorOf(transportTo(server.url).stream(WATCH));
    expect(error).toBeInstanceOf(ApiError);
    expect(isGone(error)).toBe(true);
  });

  it('is not ended by silence that is longer than the limit for requests', async () => {
    const server = await HttpServer.start((_, response) => {
      response.flushHeaders();
      setTimeout(() => response.end('{"late":true}\n'), 300);
    });
    expect(await collect(await transportTo(server.url, {}, { timeoutMs: 100 }).stream(WATCH))).toEqual([
      { late: true },
    ]);
  });

  it('throws the reason of its signal and closes the connection', async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.write('{"n":1}\n');
    });
    const stop = new AbortController();
    const reason = new Error('stopped');
    const read = async (): Promise<void> => {
      for await (const line of await transportTo(server.url).stream({ ...WATCH, signal: stop.signal })) {
        expect(line).toEqual({ n: 1 });
        stop.abort(reason);
      }
    };
    expect(await errorOf(read())).toBe(reason);
    await closed.promise;
  });

  it('closes the connection when its reader leaves', async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.write('{"n":1}\n');
    });
    for await (const line of await transportTo(server.url).stream(WATCH)) {
      expect(line).toEqual({ n: 1 });
      break;
    }
    await closed.promise;
  });

  it('takes no connection from the requests', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      if (url === '/watch') response.flushHeaders();
      else sendJson(response, 200, { answered: true });
    });
    const transport = transportTo(server.url, {}, { connections: 1 });
    await Promise.all(Array.from({ length: 5 }, () => transport.stream(WATCH)));
    expect((await transport.request({ method: 'GET', path: '/version' })).body).toEqual({ answered: true });
    expect(server.opened).toBe(6);
  });
});
