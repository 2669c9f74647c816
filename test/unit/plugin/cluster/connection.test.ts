import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { type ConnectionFlags, connectionOf } from '../../../../plugin/cluster/connection.ts';

const CONFIG = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'one',
  clusters: [
    { name: 'c1', cluster: { server: 'https://one:6443' } },
    { name: 'c2', cluster: { server: 'https://two:6443', 'insecure-skip-tls-verify': true } },
  ],
  users: [
    { name: 'u1', user: { token: 't1' } },
    { name: 'u2', user: { username: 'jane', password: '0644' } },
  ],
  contexts: [
    { name: 'one', context: { cluster: 'c1', user: 'u1', namespace: 'apps' } },
    { name: 'two', context: { cluster: 'c2', user: 'u2' } },
    { name: 'nobody', context: { cluster: 'c1' } },
    { name: 'broken', context: { cluster: 'gone', user: 'u1' } },
  ],
};

const NONE: ConnectionFlags = {
  context: undefined,
  kubeconfig: undefined,
  cluster: undefined,
  user: undefined,
  as: undefined,
  asGroups: [],
};

async function home(text = stringify(CONFIG)): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-home-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, '.kube'));
  await writeFile(join(folder, '.kube', 'config'), text);
  return folder;
}

async function connection(flags: Partial<ConnectionFlags>) {
  return await connectionOf({ ...NONE, ...flags }, { HOME: await home() });
}

describe('the cluster', () => {
  it.each<[Partial<ConnectionFlags>, object]>([
    [{}, { server: 'https://one:6443', token: 't1', namespace: 'apps' }],
    [{ context: 'two' }, { server: 'https://two:6443', insecure: true, username: 'jane', password: '0644' }],
    [{ cluster: 'c2' }, { server: 'https://two:6443', insecure: true, token: 't1', namespace: 'apps' }],
    [{ user: 'u2' }, { server: 'https://one:6443', username: 'jane', password: '0644', namespace: 'apps' }],
    [{ context: 'nobody' }, { server: 'https://one:6443' }],
    [
      { as: 'joe', asGroups: ['dev'] },
      {
        server: 'https://one:6443',
        token: 't1',
        namespace: 'apps',
        impersonate: { user: 'joe', groups: ['dev'] },
      },
    ],
  ])('with %j', async (flags, expected) => {
    expect(await connection(flags)).toEqual(expected);
  });

  it.each<[Partial<ConnectionFlags>, RegExp]>([
    [{ context: 'three' }, /no context "three"; it has one, two, nobody, broken/],
    [{ cluster: 'c3' }, /no cluster "c3"; it has c1, c2/],
    [{ user: 'u3' }, /no user "u3"; it has u1, u2/],
    [{ context: 'broken' }, /no cluster "gone"/],
    [{ asGroups: ['dev'] }, /--as-group needs --as/],
    [{ kubeconfig: '/does/not/exist' }, /\/does\/not\/exist.*ENOENT/],
  ])('with %j is not found', async (flags, message) => {
    await expect(connection(flags)).rejects.toThrow(message);
  });

  it('is looked for where kubectl looks', async () => {
    const folder = await home();
    const config = join(folder, '.kube', 'config');
    const env = { HOME: '/nowhere', KUBECONFIG: `${folder}/missing:${config}` };
    expect((await connectionOf(NONE, env)).server).toBe('https://one:6443');
    await expect(connectionOf(NONE, { KUBECONFIG: '/missing' })).rejects.toThrow(
      /none of \/missing is there/,
    );
    await expect(connectionOf(NONE, { HOME: '/nowhere' })).rejects.toThrow(/there is no kubeconfig/);
  });
});
