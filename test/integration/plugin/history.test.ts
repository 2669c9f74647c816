import { beforeEach, describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../api/group.ts';
import type { Release } from '../../../api/release.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { useController } from '../../support/controllerProcess.ts';
import { configMapYaml, createRelease, patchRelease, waitForReady } from '../../support/releases.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);
useController(cluster);

const at = () => ({ namespace: namespace(), name: 'shop' });
const release = (verb: string, ...args: string[]) =>
  convoy(['release', verb, 'shop', ...args, '-n', namespace()]);
const path = () => resourcePath(RESOURCES.Release, namespace(), 'shop');
const read = async () => (await cluster.api.must('GET', path())) as unknown as Release;
const renderOf = async (number: number) =>
  (await read()).status?.history?.find((entry) => entry.number === number)?.renderRef ?? '';

/** Version 1 has the object `old`, version 2 `new`; both a Secret with another value, and a ConfigMap. */
function version(number: 1 | 2): string {
  const password = Buffer.from(`password-${number}`).toString('base64');
  return [
    configMapYaml('shop', { version: `${number}`, colour: 'red' }),
    configMapYaml(number === 1 ? 'old' : 'new'),
    `apiVersion: v1\nkind: Secret\nmetadata: {name: shop}\ndata: {password: ${password}, user: YW5uYQ==}\n`,
  ].join('---\n');
}

beforeEach(async () => {
  await createRelease(cluster.api, {
    ...at(),
    spec: { source: { inline: version(1) }, syncPolicy: { prune: { orphaned: true } } },
  });
  await waitForReady(cluster.api, at(), 'Applied');
  await patchRelease(cluster.api, at(), { spec: { source: { inline: version(2) } } });
  await waitForReady(cluster.api, at(), 'Applied');
});

describe('kubectl convoy release history', () => {
  it('lists renders, shows one and holds two against each other, secrets hidden', async () => {
    const list = await release('history');
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(/^NUMBER +RENDER +REVISION +APPLIED +BY +NOW\n2 .*applied, last healthy\n1 /);
    const data = JSON.parse((await release('history', '-o', 'json')).stdout) as {
      items: { number: number }[];
    };
    expect(data.items.map(({ number }) => number)).toEqual([2, 1]);

    const show = await release('history', 'show', '1');
    expect(show).toMatchObject({ code: 0, stderr: '' });
    expect(show.stdout).toContain(`# render ${await renderOf(1)} (history 1)\n---\n`);
    expect(show.stdout).toContain('name: old');
    expect(show.stdout).toContain('password: (hidden)');
    const named = await release('history', 'show', (await renderOf(2)).slice(0, 19), '-o', 'name');
    expect(named.stdout).toBe('configmap/new\nconfigmap/shop\nsecret/shop\n');

    const diff = await release('history', 'diff', '1', '2');
    expect(diff).toMatchObject({ code: 1, stderr: '' });
    expect(diff.stdout).toMatch(/ConfigMap new in \S+: added\n/);
    expect(diff.stdout).toMatch(/ConfigMap old in \S+: removed\n/);
    expect(diff.stdout).toMatch(/-  version: "1"\n\+  version: "2"\n/);
    expect(diff.stdout).toMatch(/-  password: \(hidden, before\)\n\+  password: \(hidden, after\)\n/);
    expect(diff.stdout).toMatch(
      /1 added, 1 removed, 2 changed from history 1 \(sha256:\w{12}\) to history 2/,
    );
    const json = await release('history', 'diff', '1', '2', '-o', 'json');
    expect(json.code).toBe(1);
    for (const { stdout } of [show, diff, json, await release('history', 'show', '1', '-o', 'json')])
      expect(stdout).not.toMatch(/password-\d|cGFzc3dvcmQ/);
    expect(await release('history', 'diff', '2', '2')).toMatchObject({ code: 0, stderr: '' });
  });

  it('hides what comes from Secrets by variables, also where their values have changed since', async () => {
    const name = 'token';
    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'secret',
      'generic',
      name,
      '--from-literal=TOKEN=first-one',
    );
    const inline = configMapYaml('shop', { url: 'https://${TOKEN}@example.com', colour: 'red' });
    const content = { variablesFrom: [{ kind: 'Secret', name }] };
    await patchRelease(cluster.api, at(), { spec: { source: { inline }, content } });
    const before = await waitForReady(cluster.api, at(), 'Applied');
    const data = { TOKEN: Buffer.from('second-one').toString('base64') };
    await cluster.api.must('PATCH', `/api/v1/namespaces/${namespace()}/secrets/${name}`, { data });
    await cluster.api.waitForNamed(
      path().slice(0, path().lastIndexOf('/')),
      'shop',
      (object) => (object as unknown as Release).status?.history?.[0]?.number === 4,
    );
    expect(before.status?.history?.[0]?.number).toBe(3);
    for (const answer of [
      await release('history', 'show', '3'),
      await release('history', 'show', '4'),
      await release('history', 'diff', '3', '4'),
      await release('diff', '--to', '3'),
    ]) {
      expect(answer.stdout).toContain('url: (hidden');
      expect(answer.stdout + answer.stderr).not.toMatch(/first-one|second-one/);
    }
    await cluster.api.must('DELETE', `/api/v1/namespaces/${namespace()}/secrets/${name}`);
    const hidden = await release('history', 'show', '3');
    expect(hidden.stdout).toContain('hidden: (hidden)');
    expect(hidden.stdout).toMatch(
      /^# all values are hidden, since what of it comes from Secrets cannot be told/m,
    );
  });

  it('says why a render cannot be had', async () => {
    expect(await release('history', 'show', '7')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: the history of shop in \S+ has no number 7\n {2}why: it has 2, 1\n/,
      ) as string,
    });
    const nowhere = await release('history', 'diff', '1', `sha256:${'0'.repeat(64)}`);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toMatch(/is not in the render store\n[^]*the store holds sha256:/);

    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'role',
      'r',
      '--verb=get',
      '--resource=releases.core.convoy.kumodo.io',
    );
    await cluster.kubectl('-n', namespace(), 'create', 'rolebinding', 'r', '--role=r', '--user=reader');
    const kubeconfig = await cluster.kubeconfigFor('reader');
    const forbidden = await convoy(['release', 'history', 'shop', 'show', '1', '-n', namespace()], {
      kubeconfig,
    });
    expect(forbidden.code).toBe(1);
    expect(forbidden.stderr).toMatch(
      /why: .*User "reader" cannot list resource "secrets"[^]*try: ask for the right/,
    );

    const { metadata } = await read();
    const chunk = `/api/v1/namespaces/${namespace()}/secrets/${metadata.uid ?? ''}-${(await renderOf(1)).slice(7)}-0-1`;
    const secret = await cluster.api.must('GET', chunk);
    await cluster.api.must('PATCH', chunk, { metadata: { finalizers: null } });
    await cluster.api.must('DELETE', chunk);
    await cluster.api.must('POST', chunk.slice(0, chunk.lastIndexOf('/')), {
      metadata: { name: secret.metadata.name },
      type: secret['type'],
      data: { render: Buffer.from('nothing').toString('base64') },
    });
    const corrupt = await release('history', 'show', '1');
    expect(corrupt.code).toBe(1);
    expect(corrupt.stderr).toMatch(/cannot be read\n {2}why: what the render store holds is corrupt/);
  });

  it.each([[['show']], [['diff', '1']], [['show', '0']], [['show', 'sha256:xyz']], [['list']]])(
    'ends with 2 for %j',
    async (words) => {
      expect(await release('history', ...words)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

describe('kubectl convoy release pin', () => {
  it('goes back to a render, which release diff --to tells beforehand, and unpin to the source', async () => {
    const diff = await release('diff', '--to', '1');
    expect(diff).toMatchObject({ code: 1, stderr: '' });
    expect(diff.stdout).toMatch(/ConfigMap old in \S+ \(wave 0\): would be created/);
    expect(diff.stdout).toMatch(/ConfigMap new in \S+ \(wave 0\): would be deleted/);
    expect(diff.stdout).toMatch(
      /note: this is what a sync would change with the Release pinned to render sha256:/,
    );
    expect(diff.stdout).not.toMatch(/cGFzc3dvcmQ/);

    const pin = ['--to', '1', '--reason', 'incident 1234'];
    const pinned = await release('pin', ...pin);
    expect(pinned).toMatchObject({ code: 0, stderr: '' });
    expect(pinned.stdout).toMatch(
      /^Release shop in \S+ is pinned to render sha256:\w{12} \(history 1\): it stays/,
    );
    await waitForReady(cluster.api, at(), 'Pinned');
    expect((await read()).spec.pin).toEqual({ history: 1, reason: 'incident 1234' });
    expect(await release('diff', '--to', '1')).toMatchObject({ code: 0 });
    expect((await release('pin', ...pin)).stdout).toContain('(history 1) already');

    const digest = await renderOf(2);
    await release('pin', '--to', digest.slice(0, 20), '--reason', 'x');
    expect((await read()).spec.pin).toEqual({ renderRef: digest, reason: 'x' });
    const unpinned = await release('unpin');
    expect(unpinned.stdout).toMatch(/^Release shop in \S+ is not pinned any more/);
    await waitForReady(cluster.api, at(), 'Applied');
    expect((await release('unpin')).stdout).toMatch(/is not pinned\.\n$/);
  });

  it('refuses a render that is not kept', async () => {
    const { code, stderr } = await release('pin', '--to', `sha256:${'0'.repeat(64)}`, '--reason', 'x');
    expect(code).toBe(1);
    expect(stderr).toContain('is not in the render store');
    expect((await read()).spec.pin).toBeUndefined();
  });

  it.each([[['--to', '1']], [['--reason', 'x']], [['--to', 'first', '--reason', 'x']]])(
    'ends with 2 for %j',
    async (flags) => {
      expect(await release('pin', ...flags)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

describe('kubectl convoy release suspend', () => {
  it('stops a Release, and resume lets it go on', async () => {
    expect((await release('suspend')).stdout).toMatch(
      /^Release shop in \S+ is suspended: what is applied stays/,
    );
    await waitForReady(cluster.api, at(), 'Suspended');
    expect((await release('suspend')).stdout).toContain('is suspended already');
    expect((await release('resume', '-o', 'name')).stdout).toBe('release.core.convoy.kumodo.io/shop\n');
    await waitForReady(cluster.api, at(), 'Applied');
    expect((await release('resume')).stdout).toContain('is not suspended');
  });
});
