import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RenderUnreadable } from '../../../../api/packedRender.ts';
import { parseRepository } from '../../../../controller/registry/reference.ts';
import { Registry, type RegistryOptions } from '../../../../controller/registry/registry.ts';
import { OciStore } from '../../../../controller/store/oci.ts';
import { type Fault, FaultyRegistry, refuse } from '../../../registry/faultyRegistry.ts';
import { useRegistry } from '../../../registry/registryServer.ts';
import { randomRender, renderOf } from '../../../support/randomRender.ts';

const registry = useRegistry();

const MIB = 2 ** 20;
const PASSWORD = 'k4n4r1-of-the-registry';
let repositories = 0;

const owner = (uid: string) => ({ metadata: { name: 'app', namespace: 'shop', uid } });
const OWNER = owner('0b8f4c1e-6a55-4d7f-9a93-0d5f3b6c1a01');
const OTHER = owner('0b8f4c1e-6a55-4d7f-9a93-0d5f3b6c1a02');

const newName = (): string => `renders/r${++repositories}`;

function storeOn(host: string, options: Partial<RegistryOptions> = {}, name = newName()): OciStore {
  const repository = parseRepository(`oci://${host}/${name}`);
  if ('problem' in repository) throw new Error(repository.problem);
  const store = new OciStore(
    new Registry({
      repository,
      userAgent: 'convoy/test',
      credentials: () => Promise.resolve(undefined),
      backoff: { baseMs: 1, maxMs: 5 },
      ...options,
    }),
  );
  onTestFinished(() => store.close());
  return store;
}

/** A store that reaches the registry through faults, and one that reaches the same repository without. */
async function faulty(
  fault: Fault,
  options: Partial<RegistryOptions> = {},
): Promise<{ store: OciStore; proxy: FaultyRegistry; direct: OciStore }> {
  const proxy = await FaultyRegistry.start(registry().url, fault);
  const name = newName();
  return { store: storeOn(proxy.host, options, name), proxy, direct: storeOn(registry().host, {}, name) };
}

async function failure(promise: Promise<unknown>): Promise<string> {
  return await promise.then(
    () => 'nothing failed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a render that is put', () => {
  test('comes back as it was, and is held', async () => {
    const store = storeOn(registry().host);
    const [small, large] = [renderOf('[{"n":9007199254740993}]'), randomRender(4 * MIB)];
    for (const render of [small, large]) await store.put(OWNER, render);
    expect(await store.get(OWNER, small.renderRef)).toBe(small.text);
    expect(await store.get(OWNER, large.renderRef)).toBe(large.text);
    expect(await store.held(OWNER)).toEqual([small.renderRef, large.renderRef].sort());
  });

  test('again is not sent again', async () => {
    const { store, proxy } = await faulty(() => false);
    const render = randomRender(MIB);
    await store.put(OWNER, render);
    const sent = proxy.received.length;
    await store.put(OWNER, render);
    const again = proxy.received.slice(sent);
    expect(again.map((line) => line.slice(0, line.indexOf(' ')))).toEqual(['HEAD', 'HEAD', 'HEAD']);
  });

  test('by two Releases is there once, and the end of one leaves it to the other', async () => {
    const { store, proxy } = await faulty(() => false);
    const render = randomRender(MIB);
    await store.put(OWNER, render);
    const uploads = () => proxy.received.filter((line) => line.startsWith('POST')).length;
    const before = uploads();
    await store.put(OTHER, render);
    expect(uploads()).toBe(before);
    expect(await store.collect(OWNER, new Set())).toBe(1);
    expect(await store.held(OWNER)).toEqual([]);
    await expect(store.get(OWNER, render.renderRef)).rejects.toThrow(RenderUnreadable);
    expect(await store.get(OTHER, render.renderRef)).toBe(render.text);
  });

  test('is too large where the registry or Convoy says so', async () => {
    const { store } = await faulty(({ method }, response) => method === 'PUT' && refuse(response, 413));
    const render = randomRender(2 * MIB);
    expect(await failure(store.put(OWNER, render))).toMatch(
      /^render sha256:\w+ takes 2 MiB compressed, and 127\.0\.0\.1:\d+\/renders\/r\d+ takes none that large: raise the limit of the registry or of the proxy before it, or split the source into several Releases$/,
    );
    const huge = { renderRef: render.renderRef, packed: new Uint8Array(129 * MIB) };
    expect(await failure(store.put(OWNER, huge))).toContain(
      'takes none above 128 MiB: split the source into several Releases',
    );
  });
});

describe('a render that cannot be had', () => {
  test('is told where it was never there', async () => {
    const store = storeOn(registry().host);
    const { renderRef } = renderOf('[1]');
    const message = await failure(store.get(OWNER, renderRef));
    expect(message).toContain(
      `render ${renderRef}: the render store does not hold it as it was (there is no`,
    );
    expect(message).toContain('it is not applied');
    expect(await store.held(OWNER)).toEqual([]);
  });

  test.each([
    ['other content', 'something else'],
    ['nothing', ''],
    ['more than was said', 'x'.repeat(5 * MIB)],
  ])('since the registry sends %s', async (_, sent) => {
    const render = randomRender(MIB);
    const { store, direct } = await faulty(({ method, url }, response) => {
      if (method !== 'GET' || url?.includes('/blobs/') !== true) return false;
      response.end(sent);
      return true;
    });
    await direct.put(OWNER, render);
    const message = await failure(store.get(OWNER, render.renderRef));
    expect(message).toContain('is not what its digest says');
    expect(message).toContain('it is not applied');
  });

  test('since its tag names the render of another digest', async () => {
    const [render, other] = [renderOf('["a"]'), renderOf('["b"]')];
    const hex = ({ renderRef }: { renderRef: string }): string => renderRef.slice('sha256:'.length);
    const { store, direct } = await faulty((request) => {
      request.url = request.url?.replace(hex(render), hex(other)) ?? '';
      return false;
    });
    await direct.put(OWNER, other);
    expect(await failure(store.get(OWNER, render.renderRef))).toContain(`its digest is ${other.renderRef}`);
  });

  test('since its blob is gone', async () => {
    const render = randomRender(MIB);
    const digest = `sha256:${createHash('sha256').update(render.packed).digest('hex')}`;
    const { store, direct } = await faulty(
      ({ method, url }, response) =>
        method === 'GET' && url?.includes(digest) === true && refuse(response, 404),
    );
    await direct.put(OWNER, render);
    expect(await failure(store.get(OWNER, render.renderRef))).toContain(`has no blob ${digest}`);
  });
});

describe('a registry in trouble', () => {
  test.each([500, 503, 429])('that answers %d is asked again', async (status) => {
    let left = 3;
    const { store } = await faulty((_, response) => left-- > 0 && refuse(response, status));
    const render = renderOf('["again"]');
    await store.put(OWNER, render);
    expect(await store.get(OWNER, render.renderRef)).toBe(render.text);
  });

  test('that keeps answering 503 is named, with what it says', async () => {
    const { store, proxy } = await faulty((_, response) =>
      refuse(response, 503, { code: 'UNAVAILABLE', message: 'no disk' }),
    );
    expect(await failure(store.held(OWNER))).toMatch(
      /^registry 127\.0\.0\.1:\d+: GET http:\/\/127\.0\.0\.1:\d+\/v2\/renders\/r\d+\/tags\/list is answered with 503 \(UNAVAILABLE no disk\) – it is tried again$/,
    );
    expect(proxy.received).toHaveLength(4);
  });

  test('that does not answer is named', async () => {
    const { store } = await faulty(() => true, { timeoutMs: 200 });
    expect(await failure(store.held(OWNER))).toMatch(
      /^registry 127\.0\.0\.1:\d+: GET .* failed: it takes too long – /,
    );
    const gone = storeOn('127.0.0.1:9');
    expect(await failure(gone.held(OWNER))).toMatch(
      /^registry 127\.0\.0\.1:9: .*connection refused \(ECONNREFUSED\)/,
    );
  });
});

describe('a registry that asks who it is', () => {
  const credentials =
    (password = PASSWORD) =>
    () =>
      Promise.resolve({ username: 'convoy', password });
  const right = `Basic ${Buffer.from(`convoy:${PASSWORD}`).toString('base64')}`;

  const basic: Fault = ({ headers }, response) =>
    headers.authorization !== right &&
    refuse(response, 401, {
      code: 'UNAUTHORIZED',
      message: `not ${headers.authorization ?? 'anybody'}`,
      headers: { 'www-authenticate': 'Basic realm="registry"' },
    });

  test('gets a user name and a password', async () => {
    const { store } = await faulty(basic, { credentials: credentials() });
    await store.put(OWNER, renderOf('["basic"]'));
    expect(await store.held(OWNER)).toHaveLength(1);
  });

  test('gets a token of its token service, one for each scope', async () => {
    const bearer: Fault = (request, response) => {
      const url = new URL(request.url ?? '', 'http://x');
      if (url.pathname === '/token') {
        if (request.headers.authorization !== right) return refuse(response, 401);
        response.end(JSON.stringify({ token: `token for ${url.searchParams.get('scope') ?? ''}` }));
        return true;
      }
      const scope = request.method === 'GET' || request.method === 'HEAD' ? 'pull' : 'pull,push';
      if (request.headers.authorization === `Bearer token for repository:r:${scope}`) return false;
      const realm = `http://${request.headers.host ?? ''}/token`;
      const challenge = `Bearer realm="${realm}",service="registry",scope="repository:r:${scope}"`;
      return refuse(response, 401, { code: 'UNAUTHORIZED', headers: { 'www-authenticate': challenge } });
    };
    const { store } = await faulty(bearer, { credentials: credentials() });
    const render = renderOf('["bearer"]');
    await store.put(OWNER, render);
    expect(await store.get(OWNER, render.renderRef)).toBe(render.text);
  });

  test('and does not take it, is told without the password', async () => {
    const { store } = await faulty(basic, { credentials: credentials(`${PASSWORD}-wrong`) });
    const message = await failure(store.put(OWNER, renderOf('["denied"]')));
    expect(message).toMatch(/is answered with 401 – check the user name and the password/);
    const told = await failure(store.held(OWNER));
    expect(told).toContain('UNAUTHORIZED not Basic (a value from a Secret)');
    expect(message + told).not.toContain(PASSWORD);
  });

  test('and nothing is known of it, is told', async () => {
    const { store } = await faulty(basic);
    expect(await failure(store.held(OWNER))).toMatch(
      /^registry 127\.0\.0\.1:\d+ asks for a user name and a password: put them into the credentials file$/,
    );
  });
});

describe('collecting', () => {
  test('removes all but what is to be kept', async () => {
    const store = storeOn(registry().host);
    const renders = [renderOf('["a"]'), renderOf('["b"]'), renderOf('["c"]')];
    for (const render of renders) await store.put(OWNER, render);
    const [kept] = renders;
    expect(await store.collect(OWNER, new Set([kept?.renderRef ?? '']))).toBe(2);
    expect(await store.held(OWNER)).toEqual([kept?.renderRef]);
    expect(await store.get(OWNER, kept?.renderRef ?? '')).toBe(kept?.text);
  });

  test('is told where the registry deletes nothing', async () => {
    const { store } = await faulty(
      ({ method }, response) => method === 'DELETE' && refuse(response, 405, { code: 'UNSUPPORTED' }),
    );
    await store.put(OWNER, renderOf('["stays"]'));
    expect(await failure(store.collect(OWNER, new Set()))).toMatch(
      /^registry 127\.0\.0\.1:\d+ deletes nothing from renders\/r\d+ \(405\): allow it there, or have the registry remove old tags by a policy of its own$/,
    );
  });
});
