import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isUnauthorized } from '../../../kube/errors.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const GET = { method: 'GET', path: '/version' } as const;

async function tokenFile(token: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'token');
  await writeFile(file, token);
  return file;
}

/** Accepts one token at a time. */
async function serverThatAccepts(accepted: { token: string }): Promise<HttpServer> {
  return await HttpServer.start(({ headers }, response) => {
    if (headers.authorization === `Bearer ${accepted.token}`) sendJson(response, 200, {});
    else sendJson(response, 401, status(401, 'Unauthorized', 'Unauthorized'));
  });
}

describe('credentials', () => {
  it.each([
    ['a token', { token: 'abc\n' }, 'Bearer abc'],
    ['a name and a password', { username: 'jane', password: 'pass' }, 'Basic amFuZTpwYXNz'],
    ['nothing', {}, undefined],
  ])('can be %s', async (_, config, authorization) => {
    const server = await HttpServer.start((_request, response) => sendJson(response, 200, {}));
    await transportTo(server.url, config).request(GET);
    expect(server.received[0]?.headers.authorization).toBe(authorization);
  });

  it('are not asked for again where they cannot change', async () => {
    const server = await serverThatAccepts({ token: 'other' });
    expect(isUnauthorized(await errorOf(transportTo(server.url, { token: 'abc' }).request(GET)))).toBe(true);
    expect(server.received).toHaveLength(1);
  });
});

describe('a token file', () => {
  it('is read again once a minute', async () => {
    const file = await tokenFile('first\n');
    const server = await HttpServer.start((_, response) => sendJson(response, 200, {}));
    let now = 0;
    const transport = transportTo(server.url, { tokenFile: file }, { now: () => now });
    const sent = async (): Promise<string | undefined> => {
      await transport.request(GET);
      return server.received.at(-1)?.headers.authorization;
    };
    expect(await sent()).toBe('Bearer first');
    await writeFile(file, 'second\n');
    now = 59_999;
    expect(await sent()).toBe('Bearer first');
    now = 60_000;
    expect(await sent()).toBe('Bearer second');
  });

  it('is read again at once when the server refuses the token, also for a stream', async () => {
    const accepted = { token: 'first' };
    const file = await tokenFile('first');
    const server = await serverThatAccepts(accepted);
    const transport = transportTo(server.url, { tokenFile: file }, { now: () => 0 });
    await transport.request(GET);
    for (const token of ['second', 'third']) {
      await writeFile(file, token);
      accepted.token = token;
      if (token === 'second') await transport.request(GET);
      else await Array.fromAsync(await transport.stream(GET));
      expect(server.received.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    }
    expect(server.received).toHaveLength(5);
  });

  it('that still holds the refused token makes no second request', async () => {
    const server = await serverThatAccepts({ token: 'other' });
    const transport = transportTo(server.url, { tokenFile: await tokenFile('abc') }, { now: () => 0 });
    expect(isUnauthorized(await errorOf(transport.request(GET)))).toBe(true);
    expect(server.received).toHaveLength(1);
  });

  it('that is away for a moment leaves the last token in use', async () => {
    const file = await tokenFile('abc');
    const server = await serverThatAccepts({ token: 'abc' });
    let now = 0;
    const transport = transportTo(server.url, { tokenFile: file }, { now: () => now });
    await transport.request(GET);
    await rm(file);
    now = 60_000;
    expect((await transport.request(GET)).status).toBe(200);
  });

  it('that was never there fails the request and says so, and is tried again', async () => {
    const file = await tokenFile('abc');
    await rm(file);
    const server = await serverThatAccepts({ token: 'abc' });
    const transport = transportTo(server.url, { tokenFile: file });
    expect(await errorOf(transport.request(GET))).toHaveProperty(
      'message',
      expect.stringContaining('ENOENT'),
    );
    await writeFile(file, 'abc');
    expect((await transport.request(GET)).status).toBe(200);
  });
});
