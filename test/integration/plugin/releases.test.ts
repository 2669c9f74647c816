import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_VERSION, RESOURCES } from '../../../api/group.ts';
import type { ReleaseStatus } from '../../../api/release.ts';
import { resourcePath } from '../../../kube/resource.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { condition, digest, entry } from '../../unit/plugin/release.ts';
import { useConvoy } from './plugin.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const convoy = useConvoy(cluster);

const READY: ReleaseStatus = {
  observedGeneration: 1,
  conditions: [
    condition('Ready', 'True', 'Applied', '2 objects in 1 wave applied'),
    condition('Applied', 'True', 'Applied', '2 objects in 1 wave applied'),
  ],
  source: { revision: digest('b'), fetchedAt: '2026-03-01T12:00:00Z' },
  lastSuccessful: { renderRef: digest('c'), revision: digest('b'), at: '2026-03-01T12:00:00Z' },
  inventory: { entries: 2, shards: 1 },
};

/** Creates a Release, suspended so that a controller would leave it alone, and writes its status by hand. */
async function createRelease(name: string, status?: ReleaseStatus, labels = {}): Promise<string> {
  const created = await cluster.api.must('POST', resourcePath(RESOURCES.Release, namespace()), {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name, labels },
    spec: { source: { inline: 'x' }, suspend: true },
  });
  if (status !== undefined) {
    const path = resourcePath(RESOURCES.Release, namespace(), name, 'status');
    await cluster.api.must('PUT', path, { ...created, status });
  }
  return created.metadata.uid ?? '';
}

describe('kubectl convoy release get', () => {
  it('lists the Releases of a namespace', async () => {
    await createRelease('web', READY);
    await createRelease('api');
    const { stdout, stderr, code } = await convoy(['release', 'get', '-n', namespace()]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/ +\d+s +/, ' … '));
    expect(lines).toEqual([
      expect.stringMatching(/^NAME +READY +REASON +REVISION +AGE +MESSAGE$/),
      'api    Unknown   -         - … no status yet: the controller has not taken this Release up',
      'web    True      Applied   sha256:bbbbbbbbbbbb … 2 objects in 1 wave applied',
    ]);
  });

  it('finds them by label, in all namespaces, and without headings', async () => {
    await createRelease('web', READY, { team: namespace() });
    await createRelease('api');
    const { stdout } = await convoy([
      'release',
      'get',
      '-A',
      '-l',
      `team=${namespace()}`,
      '--no-headers',
      '-owide',
    ]);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(stdout).toMatch(
      new RegExp(`^${namespace()} +web +True +Applied +sha256:b{12} +True +- +- +- +2 `),
    );
  });

  it('prints what the API server says, with exact times', async () => {
    await createRelease('web', READY);
    const one = await convoy(['release', 'get', 'web', '-n', namespace(), '-ojson']);
    expect(JSON.parse(one.stdout)).toMatchObject({ kind: 'Release', status: READY });
    const all = await convoy(['release', 'get', '-n', namespace(), '-o', 'yaml']);
    expect(parse(all.stdout)).toMatchObject({
      kind: 'List',
      items: [{ metadata: { name: 'web' }, status: READY }],
    });
    const names = await convoy(['release', 'get', '-n', namespace(), '-o', 'name']);
    expect(names.stdout).toBe('release.core.convoy.kumodo.io/web\n');
  });

  it('takes the namespace of the context', async () => {
    const { stdout, stderr, code } = await convoy(['release', 'get']);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No Releases found in namespace default.\n',
    });
  });

  it('says where it looked for one that is not there', async () => {
    const { stdout, stderr, code } = await convoy(['release', 'get', 'nope', '-n', namespace()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      [
        `error: there is no Release nope in namespace ${namespace()}`,
        '  why: releases.core.convoy.kumodo.io "nope" not found',
        `  try: see which there are: kubectl convoy release get -n ${namespace()}`,
        '       look in all namespaces: kubectl convoy release get -A',
        '',
      ].join('\n'),
    );
  });

  it('tells a missing right, also of somebody else', async () => {
    const kubeconfig = await cluster.kubeconfigFor('nobody');
    for (const answer of [
      await convoy(['release', 'get', '-n', namespace()], { kubeconfig }),
      await convoy(['release', 'get', '-n', namespace(), '--as', 'nobody']),
    ]) {
      expect(answer.code).toBe(1);
      expect(answer.stderr).toContain('User "nobody" cannot list resource "releases"');
    }
    const asAdmin = ['--as', 'nobody', '--as-group', 'system:masters'];
    expect((await convoy(['release', 'get', '-n', namespace(), ...asAdmin])).code).toBe(0);
  });

  it.each([
    [['release', 'get', 'a', '-A'], 'one Release cannot be named across all namespaces'],
    [['release', 'get', '..'], 'cannot be a name'],
    [['release', 'gett'], 'there is no command release gett'],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, stderr, stdout } = await convoy(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('kubectl convoy release status', () => {
  it('shows one page with the objects of every shard', async () => {
    const uid = await createRelease('web', { ...READY, inventory: { entries: 2, shards: 2 } });
    for (const index of [0, 1]) {
      await cluster.api.must('POST', resourcePath(RESOURCES.ReleaseInventory, namespace()), {
        apiVersion: API_VERSION,
        kind: 'ReleaseInventory',
        metadata: { name: `${uid}-${index}` },
        spec: { shard: index, entries: [entry({ name: `object-${index}`, namespace: namespace() })] },
      });
    }
    const { stdout, code } = await convoy(['release', 'status', 'web', '-n', namespace(), '-o', 'wide']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Release web in ${namespace()}: ready \\(Applied, for `));
    expect(stdout).toContain('Objects     2 objects: 2 ConfigMap');
    expect(stdout).toContain(`ConfigMap object-0 in ${namespace()}`);
    expect(stdout).toContain(`ConfigMap object-1 in ${namespace()}`);
    expect(stdout).not.toContain('\u001b');
  });

  it('shows the page without the objects to those who may not read them', async () => {
    await createRelease('web', READY);
    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'role',
      'reader',
      '--verb=get',
      '--resource=releases.core.convoy.kumodo.io',
    );
    await cluster.kubectl(
      '-n',
      namespace(),
      'create',
      'rolebinding',
      'reader',
      '--role=reader',
      '--user=reader',
    );
    const kubeconfig = await cluster.kubeconfigFor('reader');
    const { stdout, code } = await convoy(['release', 'status', 'web', '-n', namespace()], { kubeconfig });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Objects +not readable: .*User "reader" cannot get resource "releaseinventories"/m,
    );
  });

  it('stays with --watch, a line for each change where nobody looks on', async () => {
    await createRelease('web', READY);
    const watch = convoy.start(['release', 'status', 'web', '-n', namespace(), '--watch']);
    await watch.says(`${namespace()}/web: ready: 2 objects in 1 wave applied\n`);
    const path = resourcePath(RESOURCES.Release, namespace(), 'web', 'status');
    const conditions = [condition('Ready', 'False', 'SourceFailed', 'no ConfigMap web')];
    await cluster.api.must('PATCH', path, { status: { conditions } });
    await watch.says(`${namespace()}/web: SourceFailed: no ConfigMap web\n`);
    watch.interrupt();
    expect(await watch.ended).toMatchObject({ code: 130, stderr: '' });
  });

  it('needs a name', async () => {
    expect(await convoy(['release', 'status'])).toMatchObject({ code: 2, stdout: '' });
  });
});
