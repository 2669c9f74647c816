import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../kube/config.ts';
import type { ConnectionConfig, Impersonation } from '../../../kube/connection.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { isUnauthorized } from '../../../kube/errors.ts';
import { errorOf, USER_AGENT, useClient } from './clientFixture.ts';

const cluster = useCluster();
const namespace = useNamespace(cluster);
const admin = useClient(cluster);

interface UserInfo {
  username: string;
  uid?: string;
  groups: string[];
  extra?: Record<string, string[]>;
}

/** Who the API server takes the caller for. */
async function whoAmI(
  config: ConnectionConfig,
  impersonate?: Impersonation,
  as?: Impersonation,
): Promise<() => Promise<UserInfo>> {
  const transport = connect(config, { ...USER_AGENT, ...(impersonate === undefined ? {} : { impersonate }) });
  onTestFinished(() => transport.close());
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return await Promise.resolve(async () => {
    const review = await transport.request({ method: 'POST', path, body, as });
    return (review.body as { status: { userInfo: UserInfo } }).status.userInfo;
  });
}

test('a user is impersonated with all groups and extras', async () => {
  const impersonate = {
    user: 'jane',
    groups: ['dev', 'ops'],
    extra: { 'example.org/scopes': ['view', 'deploy'] },
  };
  const who = await whoAmI(admin().config, impersonate);
  expect(await who()).toMatchObject({
    username: 'jane',
    groups: ['dev', 'ops', 'system:authenticated'],
    extra: { 'example.org/scopes': ['view', 'deploy'] },
  });
});

test('who a request is made as takes the place of whoever the configuration says, with nothing of that left', async () => {
  const powerful = { user: 'jane', groups: ['system:masters'], extra: { 'example.org/scopes': ['deploy'] } };
  const user = `system:serviceaccount:${namespace()}:deployer`;
  const who = await (await whoAmI(admin().config, powerful, { user }))();
  expect(who.username).toBe(user);
  expect(who.groups.sort()).toEqual([
    'system:authenticated',
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace()}`,
  ]);
  expect(who.extra?.['example.org/scopes']).toBeUndefined();
});

test('a service account token is read anew when the API server refuses the old one', async () => {
  const { client, resource, transport, config } = admin();
  const accounts = await resource('', 'ServiceAccount');
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'robot', namespace: namespace() },
  };
  const path = `/api/v1/namespaces/${namespace()}/serviceaccounts/robot/token`;
  const newToken = async (): Promise<string> => {
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600 },
    };
    const { body: answer } = await transport.request({ method: 'POST', path, body });
    return (answer as { status: { token: string } }).status.token;
  };
  const folder = await mkdtemp(join(tmpdir(), 'convoy-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');

  await client.create(accounts, account);
  const { server, caPem = '' } = config;
  const who = await whoAmI({ server, caPem, tokenFile });
  await writeFile(tokenFile, 'worn.out.token');
  expect(isUnauthorized(await errorOf(who()))).toBe(true);
  await writeFile(tokenFile, await newToken());
  expect((await who()).username).toBe(`system:serviceaccount:${namespace()}:robot`);
});
