import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, isRetryable, ProtocolError } from '../../../kube/errors.ts';
import { SilenceError } from '../../../kube/watchdog.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const GET = { method: 'GET', path: '/version' } as const;

describe('request', () => {
  it('sends many requests over few connections that stay open', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const transport = transportTo(server.url, {}, { connections: 4 });
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 50 }, () => transport.request(GET)));
    }
    expect(server.received).toHaveLength(150);
    expect(server.opened).toBeLessThanOrEqual(4);
  });

  it('keeps the connection open after a delete, which has a body too', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const transport = transportTo(server.url, {}, { connections: 1 });
    for (let round = 0; round < 5; round++) {
      await transport.request({ method: 'DELETE', path: '/x', body: { kind: 'DeleteOptions' } });
    }
    expect(server.received).toHaveLength(5);
    expect(server.opened).toBe(1);
  });

  it('names the program and asks for JSON', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    await transportTo(server.url).request(GET);
    expect(server.received[0]?.headers).toMatchObject({
      'user-agent': 'convoy/test (transport)',
      accept: 'application/json',
    });
  });

  it('sends each impersonated group and each extra value as a header line of its own', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const impersonate = {
      user: 'jane',
      uid: 'u1',
      groups: ['dev', 'ops'],
      extra: { 'example.org/scopes': ['view', 'deploy'] },
    };
    await transportTo(server.url, { impersonate }).request(GET);
    const lines = server.received[0]?.lines.filter(([name]) => name.startsWith('Impersonate-'));
    expect(lines).toEqual([
      ['Impersonate-User', 'jane'],
      ['Impersonate-Uid', 'u1'],
      ['Impersonate-Group', 'dev'],
      ['Impersonate-Group', 'ops'],
      ['Impersonate-Extra-example.org%2Fscopes', 'view'],
      ['Impersonate-Extra-example.org%2Fscopes', 'deploy'],
    ]);
  });

  it('sends a string body byte for byte', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const body = '{"spec":{"limit":9007199254740993,"ratio":1.0}}';
    await transportTo(server.url).request({
      method: 'PATCH',
      path: '/x',
      body,
      contentType: 'application/apply-patch+yaml',
    });
    expect(server.received[0]?.body).toBe(body);
    expect(server.received[0]?.headers['content-type']).toBe('application/apply-patch+yaml');
  });

  it('keeps the path of a server that stands behind a proxy, and encodes the query', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const query = { labelSelector: 'a=b,c in (d)', limit: undefined };
    await transportTo(`${server.url}/k8s/clusters/c-1/`).request({ ...GET, query });
    expect(server.received[0]?.url).toBe('/k8s/clusters/c-1/version?labelSelector=a%3Db%2Cc%20in%20(d)');
  });

  it('gives text where the answer is not JSON, and nothing where it is empty', async () => {
    const server = await HttpServer.start(({ url }, response) =>
      response.end(url === '/healthz' ? 'ok' : ''),
    );
    const transport = transportTo(server.url);
    expect((await transport.request({ method: 'GET', path: '/healthz' })).body).toBe('ok');
    expect((await transport.request(GET)).body).toBeUndefined();
  });
});

describe('refusals', () => {
  it('throws what the Status says', async () => {
    const causes = [{ reason: 'FieldValueInvalid', message: 'must be positive', field: 'spec.replicas' }];
    const server = await HttpServer.start((_, response) =>
      sendJson(
        response,
        422,
        status(422, 'Invalid', 'Deployment "web" is invalid', { name: 'web', kind: 'Deployment', causes }),
      ),
    );
    const error = await errorOf(
      transportTo(server.url).request({ method: 'PATCH', path: '/apis/apps/v1/x' }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'PATCH /apis/apps/v1/x: Deployment "web" is invalid (422 Invalid)',
      status: 422,
      reason: 'Invalid',
      details: { name: 'web', kind: 'Deployment', causes },
    });
  });

  it('reads the pause asked for from the header, else from the Status', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      const body = status(429, 'TooManyRequests', 'slow down', { retryAfterSeconds: 7 });
      sendJson(response, 429, body, url === '/header' ? { 'retry-after': '3' } : {});
    });
    const transport = transportTo(server.url);
    expect(await errorOf(transport.request({ method: 'GET', path: '/header' }))).toMatchObject({
      retryAfterMs: 3000,
    });
    expect(await errorOf(transport.request({ method: 'GET', path: '/status' }))).toMatchObject({
      retryAfterMs: 7000,
    });
  });

  it("throws a proxy's page as ApiError with its text", async () => {
    const server = await HttpServer.start((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>\n');
    });
    const error = await errorOf(transportTo(server.url).request(GET));
    expect(error).toMatchObject({
      status: 502,
      reason: '',
      message: 'GET /version: <h1>Bad gateway</h1> (502)',
    });
    expect(isRetryable(error)).toBe(true);
  });
});

describe('lost connections', () => {
  it('says that a connection is refused', async () => {
    const server = await HttpServer.start((_, response) => response.end());
    await server.stop();
    const error = await errorOf(transportTo(server.url).request(GET));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      message: 'GET /version: connection refused (ECONNREFUSED)',
    });
    expect(isRetryable(error)).toBe(true);
  });

  it.each([
    ['before the answer', false],
    ['in the middle of the answer', true],
  ])('notices a connection cut %s', async (_, begun) => {
    const server = await HttpServer.start((_request, response) => {
      if (!begun) return void response.socket?.destroy();
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"items":[', () => response.socket?.destroy());
    });
    expect(await errorOf(transportTo(server.url).request(GET))).toBeInstanceOf(ConnectionError);
  });

  it('gives up on a server that does not answer', async () => {
    const server = await HttpServer.start(() => undefined);
    const error = await errorOf(transportTo(server.url).request({ ...GET, timeoutMs: 50 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  it('sends a request that gets no answer once more, on another connection', async () => {
    const server = await HttpServer.start((_, response) => {
      if (server.received.length > 1) sendJson(response, 200, { attempt: server.received.length });
    });
    const patch = { method: 'PATCH', path: '/x', body: { a: 1 } } as const;
    const { body } = await transportTo(server.url, {}, { patienceMs: 50 }).request(patch);
    expect(body).toEqual({ attempt: 2 });
    expect(server.received.map((request) => request.body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(server.opened).toBe(2);
  });

  it('sends it over a connection made for it, since all that are idle may have died with the first', async () => {
    const dead = new Set<unknown>();
    let isDying = false;
    const server = await HttpServer.start((_, response) => {
      if (!isDying) dead.add(response.socket);
      if (!isDying || !dead.has(response.socket)) sendJson(response, 200, {});
    });
    const transport = transportTo(server.url, {}, { connections: 3, patienceMs: 50 });
    await Promise.all(Array.from({ length: 3 }, () => transport.request(GET)));
    expect(dead.size).toBe(3);
    isDying = true;
    expect(await transport.request({ ...GET, timeoutMs: 1_000 })).toMatchObject({ status: 200 });
    expect(server.opened).toBe(4);
  });

  it('trusts no connection of before once a stream was given up for its silence', async () => {
    const server = await HttpServer.start((_, response) => {
      if (server.received.length > 1) sendJson(response, 200, {});
      else response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    });
    const transport = transportTo(server.url);
    const silent = new AbortController();
    await transport.stream({ ...GET, signal: silent.signal });
    await transport.request(GET);
    expect(server.opened).toBe(2);
    silent.abort(new SilenceError('watch: nothing came for 28 s'));
    await transport.request(GET);
    expect(server.opened).toBe(3);
  });

  it('waits for the second answer as long as it may take', async () => {
    const server = await HttpServer.start(() => undefined);
    const error = await errorOf(transportTo(server.url, {}, { patienceMs: 50, timeoutMs: 100 }).request(GET));
    expect(error).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    expect(server.received).toHaveLength(2);
  });

  it('gives up on an answer that trickles in without end', async () => {
    const server = await HttpServer.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const trickle = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(trickle));
    });
    const error = await errorOf(transportTo(server.url).request({ ...GET, timeoutMs: 200 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: 'GET /version: the answer was not complete within 200 ms' });
  });

  it('rejects with the reason of its signal, and closes the connection', async () => {
    const stop = new AbortController();
    const reason = new Error('the release was deleted');
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      stop.abort(reason);
    });
    expect(await errorOf(transportTo(server.url).request({ ...GET, signal: stop.signal }))).toBe(reason);
    await closed.promise;
  });
});

describe('a request that waits for its turn', () => {
  it('rejects as soon as its signal aborts, and is never sent', async () => {
    const first = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      void first.promise.then(() => sendJson(response, 200, {}));
    });
    const transport = transportTo(server.url, {}, { connections: 1 });
    const stop = new AbortController();
    const reason = new Error('the release was deleted');
    const answered = transport.request(GET);
    const waiting = errorOf(transport.request({ method: 'GET', path: '/second', signal: stop.signal }));
    await setImmediate();
    stop.abort(reason);
    expect(await waiting).toBe(reason);
    first.resolve(undefined);
    await answered;
    await transport.request({ method: 'GET', path: '/third' });
    expect(server.received.map(({ url }) => url)).toEqual(['/version', '/third']);
  });
});

describe('hostile answers', () => {
  it('refuses an answer above the size limit', async () => {
    const server = await HttpServer.start((_, response) =>
      sendJson(response, 200, { data: 'x'.repeat(2000) }),
    );
    const error = await errorOf(transportTo(server.url, {}, { maxBodyBytes: 1000 }).request(GET));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(isRetryable(error)).toBe(false);
  });

  it('closes the connection of an answer that it refuses', async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('x'.repeat(2000));
    });
    const error = await errorOf(transportTo(server.url, {}, { maxBodyBytes: 1000 }).request(GET));
    expect(error).toBeInstanceOf(ProtocolError);
    await closed.promise;
  });

  it('refuses what claims to be JSON and is not', async () => {
    const server = await HttpServer.start((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"a":');
    });
    const error = await errorOf(transportTo(server.url).request(GET));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toHaveProperty('message', expect.stringMatching(/^GET \/version: the answer is not JSON/));
  });
});
