import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionConfig } from '../../../kube/connection.ts';
import { ApiError, ConnectionError, isRetryable, ProtocolError } from '../../../kube/errors.ts';
import { httpsTransport, type HttpsTransportOptions } from '../../../kube/httpsTransport.ts';
import type { Transport } from '../../../kube/transport.ts';
import { UndiciTransport } from '../../../kube/undiciTransport.ts';
import { CertificateAuthority } from '../../controlplane/certificates.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';

const GET = { method: 'GET', path: '/version' } as const;

type Options = Partial<HttpsTransportOptions>;
type Make = (config: ConnectionConfig, options: HttpsTransportOptions) => Transport;

// Both are one contract: whoever takes a Transport must not be able to tell which one it has.
const MAKERS: [string, Make][] = [
  ['node:https', httpsTransport],
  ['undici', (config, options) => new UndiciTransport(config, options)],
];

describe.each(MAKERS)('a transport on %s', (_name, make) => {
  const to = (server: string, config: Partial<ConnectionConfig> = {}, options: Options = {}): Transport => {
    const transport = make({ server, ...config }, { userAgent: 'convoy/test', ...options });
    onTestFinished(() => transport.close());
    return transport;
  };

  it('keeps few connections open for many requests', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, { ok: true }));
    const transport = to(server.url, {}, { connections: 3 });
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 20 }, () => transport.request(GET)));
    }
    expect(server.received).toHaveLength(60);
    expect(server.opened).toBeLessThanOrEqual(3);
  });

  it('sends path prefix, query, credentials, impersonation and body', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 201, { made: 1 }));
    const impersonate = { user: 'jane', groups: ['dev', 'ops'] };
    const transport = to(`${server.url}/prefix/`, { token: 't0k', impersonate });
    const answer = await transport.request({
      method: 'POST',
      path: '/x',
      query: { labelSelector: 'a=b,c in (d)', limit: undefined },
      body: { n: 1 },
      headers: { 'x-extra': 'y' },
    });
    expect(answer).toMatchObject({ status: 201, body: { made: 1 } });
    const [received] = server.received;
    expect(received).toMatchObject({
      method: 'POST',
      url: '/prefix/x?labelSelector=a%3Db%2Cc%20in%20(d)',
      body: '{"n":1}',
      headers: {
        authorization: 'Bearer t0k',
        'content-type': 'application/json',
        'user-agent': 'convoy/test',
        'x-extra': 'y',
      },
    });
    const groups = received?.lines.filter(([header]) => header === 'Impersonate-Group');
    expect(groups?.map(([, group]) => group)).toEqual(['dev', 'ops']);
  });

  it('gives text for what is not JSON and nothing for an empty answer', async () => {
    const server = await HttpServer.start(({ url }, response) => response.end(url === '/text' ? 'ok' : ''));
    const transport = to(server.url);
    expect((await transport.request({ method: 'GET', path: '/text' })).body).toBe('ok');
    expect((await transport.request(GET)).body).toBeUndefined();
  });

  it('throws a refusal with what the Status says', async () => {
    const body = status(409, 'Conflict', 'the object has been modified', { name: 'web', kind: 'releases' });
    const server = await HttpServer.start((_, response) =>
      sendJson(response, 409, body, { 'retry-after': '3' }),
    );
    const error = await to(server.url)
      .request(GET)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'GET /version: the object has been modified (409 Conflict)',
      details: { name: 'web' },
      retryAfterMs: 3000,
    });
  });

  it('asks once more with a renewed credential', async () => {
    const server = await HttpServer.start(({ headers }, response) =>
      headers.authorization === 'Bearer new'
        ? sendJson(response, 200, { who: 'new' })
        : sendJson(response, 401, status(401, 'Unauthorized', 'Unauthorized')),
    );
    let token = 'Bearer old';
    const credentials = {
      authorization: () => Promise.resolve(token),
      renew: () => {
        token = 'Bearer new';
        return Promise.resolve(true);
      },
    };
    expect((await to(server.url, { credentials }).request(GET)).body).toEqual({ who: 'new' });
    expect(server.received).toHaveLength(2);
  });

  it('tells a refused connection', async () => {
    const server = await HttpServer.start((_, response) => response.end());
    await server.stop();
    await expect(to(server.url).request(GET)).rejects.toMatchObject({
      name: 'ConnectionError',
      message: 'GET /version: connection refused (ECONNREFUSED)',
    });
  });

  it.each([
    ['before the answer', false],
    ['in the middle of the answer', true],
  ])('tells a connection that is cut %s', async (_, isBegun) => {
    const server = await HttpServer.start((_request, response) => {
      if (!isBegun) {
        response.socket?.destroy();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"items":[', () => response.socket?.destroy());
    });
    const error = await to(server.url)
      .request(GET)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(isRetryable(error)).toBe(true);
  });

  it.each([
    ['does not begin', () => undefined],
    ['does not end', (response: { write: (text: string) => unknown }) => response.write('{"a":')],
  ])('gives up on an answer that %s', async (_, begin) => {
    const server = await HttpServer.start((_request, response) => {
      begin(response);
    });
    await expect(to(server.url).request({ ...GET, timeoutMs: 100 })).rejects.toBeInstanceOf(ConnectionError);
  });

  it.each([false, true])('rejects with the reason of its signal (answer begun: %s)', async (isBegun) => {
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      if (isBegun) response.write(' ', () => stop.abort(reason));
      else stop.abort(reason);
    });
    await expect(to(server.url).request({ ...GET, signal: stop.signal })).rejects.toBe(reason);
    await closed.promise;
  });

  it('sends nothing where its signal is aborted already', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const reason = new Error('too late');
    await expect(to(server.url).request({ ...GET, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.received).toHaveLength(0);
  });

  it('refuses answers that are too large or no JSON', async () => {
    const server = await HttpServer.start(({ url }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(url === '/large' ? JSON.stringify('x'.repeat(2000)) : '{"a":');
    });
    const transport = to(server.url, {}, { maxBodyBytes: 1000 });
    await expect(transport.request({ method: 'GET', path: '/large' })).rejects.toBeInstanceOf(ProtocolError);
    await expect(transport.request(GET)).rejects.toBeInstanceOf(ProtocolError);
  });

  it('does not blame the network for a header that cannot be sent', async () => {
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    const error = await to(server.url)
      .request({ ...GET, headers: { 'x-bad': 'a\r\nb' } })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ConnectionError);
  });

  it('streams each line as it comes, and closes the connection of one who leaves', async () => {
    const closed = Promise.withResolvers<undefined>();
    const server = await HttpServer.start((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.write('{"n":1}\n{"n":');
      response.write('2}\n');
    });
    const seen: unknown[] = [];
    for await (const line of await to(server.url).stream(GET)) {
      seen.push(line);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
    await closed.promise;
  });

  it('throws where a stream is cut off', async () => {
    const server = await HttpServer.start((_, response) => {
      response.write('{"n":1}\n', () => response.socket?.destroy());
    });
    const stream = await to(server.url).stream(GET);
    await expect(Array.fromAsync(stream)).rejects.toBeInstanceOf(ConnectionError);
  });

  it('fails what is in flight, and what comes after, once it is closed', async () => {
    const asked = Promise.withResolvers<undefined>();
    const server = await HttpServer.start(() => asked.resolve(undefined));
    const transport = to(server.url);
    const inFlight = expect(transport.request(GET)).rejects.toBeInstanceOf(ConnectionError);
    await asked.promise;
    await transport.close();
    await inFlight;
    await expect(transport.request(GET)).rejects.toBeInstanceOf(ConnectionError);
  });

  it("checks the server's certificate and shows its own", async () => {
    const { url, ca, client } = await tlsServer();
    const trusted = { caPem: ca, certPem: client.cert, keyPem: client.key };
    expect((await to(url, trusted).request(GET)).body).toEqual({ user: 'jane' });
    await expect(to(url).request(GET)).rejects.toBeInstanceOf(ConnectionError);
    await expect(to(url, { ...trusted, serverName: 'other.example' }).request(GET)).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect((await to(url, { insecure: true }).request(GET)).body).toEqual({ user: null });
  });
});

describe('a transport on node:https', () => {
  it('says that it knows no proxy', () => {
    const config = { server: 'https://127.0.0.1:1', proxyUrl: 'http://127.0.0.1:2' };
    expect(() => httpsTransport(config, { userAgent: 'convoy/test' })).toThrow(RangeError);
  });
});

/** An HTTPS server that answers with the name in the client's certificate. */
async function tlsServer(): Promise<{ url: string; ca: string; client: { cert: string; key: string } }> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const authority = await CertificateAuthority.create(folder);
  const { cert, key } = await authority.issueServer(['localhost'], ['127.0.0.1']);
  const ca = authority.pem;
  const options = { cert, key, ca, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (request, response) => {
    const { subject } = peerCertificate(request.socket);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ user: subject?.CN ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, ca, client: await authority.issueClient('jane', []) };
}

/** Empty where the client showed none. */
function peerCertificate(socket: Socket): { subject?: { CN?: string } } {
  return socket instanceof TLSSocket ? (socket.getPeerCertificate() as { subject?: { CN?: string } }) : {};
}
