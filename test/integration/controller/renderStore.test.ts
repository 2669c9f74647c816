import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import { API_VERSION } from '../../../api/group.ts';
import { RenderUnreadable } from '../../../api/packedRender.ts';
import { SecretStore } from '../../../controller/store/secrets.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { randomRender, renderOf } from '../../support/randomRender.ts';
import { releasesPath } from '../../support/releases.ts';
import { useClient } from '../kube/clientFixture.ts';
import { NAME } from './fixture.ts';

const cluster = useCluster();
const client = useClient(cluster);
const namespace = useNamespace(cluster);

const MIB = 1024 * 1024;
const store = () => new SecretStore(client().client);
const secretsPath = (name = '') => `/api/v1/namespaces/${namespace()}/secrets${name && `/${name}`}`;

let owner: ApiObject;

beforeEach(async () => {
  const spec = { source: { inline: 'kind: List' } };
  owner = await cluster.api.must('POST', releasesPath(namespace()), {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name: NAME },
    spec,
  });
});

/** The Secrets of the render, in order of name. */
async function secrets(): Promise<ApiObject[]> {
  const { items } = (await cluster.api.must('GET', secretsPath())) as unknown as { items: ApiObject[] };
  return items.filter(({ metadata }) => metadata.name.startsWith(owner.metadata.uid ?? 'none'));
}

async function remove(secret: ApiObject | undefined): Promise<void> {
  const path = secretsPath(secret?.metadata.name);
  await cluster.api.must('DELETE', path);
  await cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
}

/** What an immutable Secret holds can be changed by making it anew alone. */
async function replace(secret: ApiObject | undefined, render: Uint8Array): Promise<void> {
  await remove(secret);
  const { name } = secret?.metadata ?? { name: '' };
  const data = { render: Buffer.from(render).toString('base64') };
  await cluster.api.must('POST', secretsPath(), { metadata: { name }, type: secret?.['type'], data });
}

describe('a render that is put', () => {
  test('comes back as it was, from one Secret that is owned, held and immutable', async () => {
    const render = renderOf('[{"kind":"ConfigMap","n":9007199254740993}]');
    await store().put(owner, render);
    expect(await store().get(owner, render.renderRef)).toBe(render.text);
    expect(await store().held(owner)).toEqual([render.renderRef]);
    expect(await secrets()).toEqual([
      expect.objectContaining({
        type: 'convoy.kumodo.io/render',
        immutable: true,
        metadata: expect.objectContaining({
          name: `${owner.metadata.uid ?? ''}-${render.renderRef.slice(7)}-0-1`,
          finalizers: [FINALIZER],
          labels: { 'app.kubernetes.io/managed-by': 'convoy' },
          ownerReferences: [
            expect.objectContaining({
              kind: 'Release',
              name: NAME,
              uid: owner.metadata.uid,
              controller: true,
            }),
          ],
        }) as unknown,
      }),
    ]);
  });

  test('of 3 MB takes several Secrets, each under the limit of an object', async () => {
    const render = randomRender(4 * MIB);
    expect(render.packed.length).toBeGreaterThan(3_000_000);
    await store().put(owner, render);
    const parts = await secrets();
    expect(parts.map(({ metadata }) => metadata.name.split('-').slice(-2).join(' of '))).toEqual([
      '0 of 5',
      '1 of 5',
      '2 of 5',
      '3 of 5',
      '4 of 5',
    ]);
    expect(await store().get(owner, render.renderRef)).toBe(render.text);
    expect(await store().held(owner)).toEqual([render.renderRef]);
  });

  test('twice is there once', async () => {
    const render = randomRender(2 * MIB);
    await store().put(owner, render);
    const before = await secrets();
    await store().put(owner, render);
    expect(await secrets()).toEqual(before);
  });

  test('by two writers at the same time is whole', async () => {
    const render = randomRender(4 * MIB);
    await Promise.all([store().put(owner, render), store().put(owner, render)]);
    expect(await store().get(owner, render.renderRef)).toBe(render.text);
    expect(await secrets()).toHaveLength(5);
  });

  test('over the limit is refused with its size, and nothing of it is there', async () => {
    const render = { renderRef: renderOf('x').renderRef, packed: new Uint8Array(49 * MIB) };
    await expect(store().put(owner, render)).rejects.toThrow(
      `render ${render.renderRef} takes 49 MiB compressed, and Secrets hold renders of up to 48 MiB: split the source into several Releases`,
    );
    expect(await secrets()).toEqual([]);
  });

  test('is no render of another Release', async () => {
    const render = renderOf('[1]');
    await store().put(owner, render);
    const other = { metadata: { ...owner.metadata, uid: 'c3b07384-d9a0-4c9b-8f3a-1f6f2a1b9c01' } };
    expect(await store().held(other)).toEqual([]);
    await expect(store().get(other, render.renderRef)).rejects.toThrow(RenderUnreadable);
    expect(await store().collect(other, new Set())).toBe(0);
  });
});

describe('a render that is not what it was', () => {
  test('with a chunk missing is a clear failure, and not held', async () => {
    const render = randomRender(4 * MIB);
    await store().put(owner, render);
    const lost = (await secrets())[3];
    await remove(lost);
    await expect(store().get(owner, render.renderRef)).rejects.toThrow(
      `render ${render.renderRef}: the render store does not hold all of it (no Secret ${lost?.metadata.name ?? ''} in namespace ${namespace()})`,
    );
    expect(await store().held(owner)).toEqual([]);
  });

  test('that was never there is a clear failure', async () => {
    const { renderRef } = renderOf('[2]');
    await expect(store().get(owner, renderRef)).rejects.toThrow(
      `render ${renderRef}: the render store does not hold all of it (no Secret in namespace ${namespace()}): it is not applied`,
    );
  });

  test('with a chunk that somebody changed is a clear failure', async () => {
    const render = randomRender(2 * MIB);
    await store().put(owner, render);
    const [, second] = await secrets();
    await replace(second, randomRender(MIB / 2).packed);
    await expect(store().get(owner, render.renderRef)).rejects.toThrow(
      'what the render store holds is corrupt',
    );
  });

  test('with the chunk of another render in its place is a clear failure', async () => {
    const [render, other] = [renderOf('["a"]'), renderOf('["b"]')];
    await store().put(owner, render);
    await replace((await secrets())[0], other.packed);
    await expect(store().get(owner, render.renderRef)).rejects.toThrow(`its digest is ${other.renderRef}`);
  });

  test('is mended when it is put again', async () => {
    const render = randomRender(4 * MIB);
    await store().put(owner, render);
    const [first, second, third] = await secrets();
    await remove(first);
    await replace(second, new Uint8Array(10));
    await cluster.api.must('DELETE', secretsPath(third?.metadata.name));
    await store().put(owner, render);
    expect(await store().get(owner, render.renderRef)).toBe(render.text);
    expect(await store().held(owner)).toEqual([render.renderRef]);
  });

  test('since its writer was killed between two chunks is not held, and is whole when it is put again', async () => {
    const render = randomRender(12 * MIB);
    const program = new URL('../../support/putRender.ts', import.meta.url).pathname;
    const args = [program, cluster.kubeconfigPath, JSON.stringify({ metadata: owner.metadata }), '6'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'inherit', 'inherit'] });
    child.stdin.end(render.text);
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    const there = (await secrets()).length;
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThanOrEqual(6);
    expect(await store().held(owner)).toEqual([]);
    await expect(store().get(owner, render.renderRef)).rejects.toThrow('does not hold all of it');

    await store().put(owner, render);
    expect(await store().get(owner, render.renderRef)).toBe(render.text);
    expect(await store().collect(owner, new Set())).toBe(1);
    expect(await secrets()).toEqual([]);
  });
});

describe('collecting', () => {
  test('removes all but what is to be kept, parts of renders too', async () => {
    const renders = [renderOf('["a"]'), renderOf('["b"]'), randomRender(2 * MIB)];
    for (const render of renders) await store().put(owner, render);
    const [kept, , large] = renders;
    await remove((await secrets()).find(({ metadata }) => metadata.name.endsWith('-0-3')));
    expect(large?.packed.length).toBeGreaterThan(MIB);
    expect(await store().collect(owner, new Set([kept?.renderRef ?? '']))).toBe(2);
    expect(await store().held(owner)).toEqual([kept?.renderRef]);
    expect(await secrets()).toHaveLength(1);
  });

  test('takes also those whose owner and labels somebody has removed', async () => {
    await store().put(owner, renderOf('["a"]'));
    const [secret] = await secrets();
    const bare = { metadata: { ownerReferences: null, labels: null } };
    await cluster.api.must('PATCH', secretsPath(secret?.metadata.name), bare);
    expect(await store().collect(owner, new Set())).toBe(1);
    expect(await secrets()).toEqual([]);
  });

  test('leaves alone what is no render', async () => {
    const name = `${owner.metadata.uid ?? ''}-${'a'.repeat(64)}-0-1`;
    await cluster.api.must('POST', secretsPath(), { metadata: { name }, type: 'Opaque' });
    expect(await store().collect(owner, new Set())).toBe(0);
    expect(await secrets()).toHaveLength(1);
  });
});
