import { beforeEach, describe, expect, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { syncToken } from '../../support/syncToken.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const tokenFor = (account: string, verbs: readonly string[]): Promise<string> =>
  syncToken(releases, account, verbs);

interface Reply {
  status: number;
  body: { id?: string; joined?: boolean; error?: string };
  headers: Headers;
}

async function ask(
  token: string | undefined,
  { query = '', method = 'POST', path = `/sync/${releases.namespace}/${NAME}` } = {},
): Promise<Reply> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(`${await releases.controller.url}${path}${query}`, { method, headers });
  return {
    status: response.status,
    body: (await response.json()) as Reply['body'],
    headers: response.headers,
  };
}

/** Right after a grant the authoriser of the API server may not know of it yet. */
async function asked(token: string, options: Parameters<typeof ask>[1] = {}): Promise<Reply> {
  let reply = await ask(token, options);
  await expect
    .poll(async () => (reply.status === 403 ? (reply = await ask(token, options)).status : reply.status))
    .not.toBe(403);
  return reply;
}

beforeEach(async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
});

describe('POST /sync', () => {
  test('asks for a sync in the name of who calls, and answers with the id', async () => {
    const token = await tokenFor('pipeline', ['update']);
    const { status, body } = await asked(token);
    expect(status).toBe(202);
    expect(body.joined).toBe(false);
    const synced = await releases.until(({ status: now }) => now?.sync?.recent?.[0]?.result === 'Applied');
    expect(synced.status?.sync?.recent).toEqual([
      expect.objectContaining({
        id: body.id,
        force: false,
        by: `system:serviceaccount:${releases.namespace}:pipeline`,
      }),
    ]);
  });

  test('asks for a forced one with force=true', async () => {
    const token = await tokenFor('pipeline', ['update']);
    const { body } = await asked(token, { query: '?force=true' });
    const synced = await releases.until(({ status }) => status?.sync?.recent?.[0]?.result === 'Applied');
    expect(synced.status?.sync?.recent?.[0]).toMatchObject({ id: body.id, force: true });
  });

  test('joins a request that nobody has taken yet', async () => {
    const token = await tokenFor('pipeline', ['update']);
    // Nobody takes it before all the others have asked too, or any number of them does: which of both is chance.
    const first = await asked(token);
    const others = await Promise.all(Array.from({ length: 8 }, () => ask(token)));
    const replies = [first, ...others];
    const ids = new Set(replies.map(({ body }) => body.id));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
    // As many requests are taken as were written, and each has its answer.
    const written = replies.filter(({ body }) => body.joined === false).map(({ body }) => body.id);
    expect(new Set(written)).toEqual(ids);
    await releases.until(({ status }) => {
      const done = new Set(
        status?.sync?.recent?.filter(({ result }) => result !== undefined).map(({ id }) => id),
      );
      return [...ids].every((id) => done.has(id ?? ''));
    });
  });
});

describe('POST /sync refuses', () => {
  test('who sends no token, or one that nobody knows', async () => {
    for (const token of [undefined, 'made.up.token']) {
      const { status, headers } = await ask(token);
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('who may not update the Release, also one that does not exist', async () => {
    const token = await tokenFor('reader', ['get', 'list', 'watch', 'patch']);
    const refused = await ask(token);
    expect(refused.status).toBe(403);
    expect(refused.body.error).toBe(
      `system:serviceaccount:${releases.namespace}:reader may not update Release app in namespace ${releases.namespace}: ` +
        'grant the verb update on releases.core.convoy.kumodo.io',
    );
    expect((await ask(token, { path: `/sync/${releases.namespace}/none` })).status).toBe(403);
    expect((await releases.get()).metadata.annotations).toBeUndefined();
  });

  test('a Release that does not exist', async () => {
    const token = await tokenFor('pipeline', ['update']);
    const { status, body } = await asked(token, { path: `/sync/${releases.namespace}/none` });
    expect(status).toBe(404);
    expect(body.error).toContain('"none" not found');
  });

  test('a Release that is being deleted', async () => {
    const token = await tokenFor('pipeline', ['update']);
    const HOLD = 'test.convoy.kumodo.io/hold';
    await releases.patchConfigMap('web', { metadata: { finalizers: [HOLD] } });
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--wait=false');
    const { status, body } = await asked(token);
    expect(status).toBe(409);
    expect(body.error).toContain('is being deleted');
    await releases.patchConfigMap('web', { metadata: { finalizers: null } });
  });

  test('what is no such request', async () => {
    expect((await ask('x', { method: 'GET' })).status).toBe(405);
    expect((await ask('x', { query: '?force=perhaps' })).status).toBe(400);
    expect((await ask('x', { path: `/sync/${releases.namespace}` })).status).toBe(404);
    expect((await ask('x', { path: `/sync/${releases.namespace}/${NAME}/status` })).status).toBe(404);
  });

  test('one caller who asks too often, and no other', async () => {
    const [busy, other] = [await tokenFor('busy', ['update']), await tokenFor('other', ['update'])];
    await asked(busy);
    const replies = await Promise.all(Array.from({ length: 30 }, () => ask(busy)));
    const limited = replies.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(5);
    expect(limited[0]?.headers.get('retry-after')).toBe('2');
    expect((await asked(other)).status).toBe(202);
  });
});
