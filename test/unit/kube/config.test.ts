import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../../kube/config.ts';
import { inClusterConnection } from '../../../kube/inCluster.ts';
import { ConfigError } from '../../../kube/kubeconfig.ts';
import { HttpServer, sendJson, status } from './httpServer.ts';
import { errorOf, transportTo } from './transportFixture.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  name?: string;
  cluster?: Record<string, unknown>;
  user?: Record<string, unknown>;
  context?: Record<string, unknown>;
}

/** A kubeconfig of one cluster, user and context that share a name. */
function kubeconfig({ name = 'main', cluster = {}, user = {}, context = {} }: Parts = {}): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://${name}.example.org:6443`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, ...context } }],
  });
}

async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convoy-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

describe('a kubeconfig', () => {
  it('gives everything as plain data', async () => {
    const text = kubeconfig({
      cluster: {
        'certificate-authority-data': base64('CA'),
        'tls-server-name': 'api',
        'proxy-url': 'http://proxy.example.org:3128',
        'insecure-skip-tls-verify': true,
      },
      user: {
        'client-certificate-data': base64('CERT'),
        'client-key-data': base64('KEY'),
        token: 'abc',
        as: 'jane',
        'as-uid': 'u1',
        'as-groups': ['dev', 'ops'],
        'as-user-extra': { scopes: ['view'] },
      },
      context: { namespace: 'shop' },
    });
    expect(await loadConfig({ kubeconfigText: text })).toEqual({
      server: 'https://main.example.org:6443',
      caPem: 'CA',
      serverName: 'api',
      proxyUrl: 'http://proxy.example.org:3128',
      insecure: true,
      certPem: 'CERT',
      keyPem: 'KEY',
      token: 'abc',
      impersonate: { user: 'jane', uid: 'u1', groups: ['dev', 'ops'], extra: { scopes: ['view'] } },
      namespace: 'shop',
    });
  });

  it('names files relative to itself', async () => {
    const user = { 'client-certificate': 'pki/cert.pem', 'client-key': 'pki/key.pem', tokenFile: 'token' };
    const config = kubeconfig({ cluster: { 'certificate-authority': 'pki/ca.pem' }, user });
    const files = { config, 'pki/ca.pem': 'CA', 'pki/cert.pem': 'CERT', 'pki/key.pem': 'KEY' };
    const folder = await folderWith(files);
    expect(await loadConfig({ kubeconfig: join(folder, 'config') })).toMatchObject({
      caPem: 'CA',
      certPem: 'CERT',
      keyPem: 'KEY',
      tokenFile: join(folder, 'token'),
    });
  });

  it('is found in $KUBECONFIG, whose files are merged: the first that names a part wins, absent ones count for nothing', async () => {
    const folder = await folderWith({
      a: kubeconfig({ name: 'a', user: { token: 'of a' } }),
      b: kubeconfig({ name: 'b', user: { token: 'of b' } }),
      c: kubeconfig({ name: 'a', user: { token: 'of c' } }),
    });
    const env = { KUBECONFIG: ['none', 'a', 'b', 'c'].map((name) => join(folder, name)).join(':') };
    expect(await loadConfig({ env })).toEqual({ server: 'https://a.example.org:6443', token: 'of a' });
    expect(await loadConfig({ env, context: 'b' })).toEqual({
      server: 'https://b.example.org:6443',
      token: 'of b',
    });
  });

  it('is found in the home folder', async () => {
    const home = await folderWith({ '.kube/config': kubeconfig() });
    expect(await loadConfig({ env: { HOME: home } })).toEqual({ server: 'https://main.example.org:6443' });
  });

  it.each([
    [
      'a context that is not there',
      kubeconfig(),
      { context: 'other' },
      'the kubeconfig has no context "other"',
    ],
    [
      'no current context',
      'clusters: []',
      {},
      'no context is named and the kubeconfig has no current-context',
    ],
    [
      'a cluster that is not there',
      kubeconfig({ context: { cluster: 'x' } }),
      {},
      'context "main": the kubeconfig has no cluster "x"',
    ],
    [
      'a user that is not there',
      kubeconfig({ context: { user: 'x' } }),
      {},
      'context "main": the kubeconfig has no user "x"',
    ],
    [
      'a server that is no URL',
      kubeconfig({ cluster: { server: 'file:///etc' } }),
      {},
      'server "file:///etc" is no http or https URL',
    ],
    [
      'a key without a certificate',
      kubeconfig({ user: { 'client-key-data': base64('K') } }),
      {},
      'a user has only one of client-certificate and client-key',
    ],
    [
      'groups of nobody',
      kubeconfig({ user: { 'as-groups': ['a'] } }),
      {},
      'as-uid, as-groups and as-user-extra need "as"',
    ],
    [
      'a proxy of another kind',
      kubeconfig({ cluster: { 'proxy-url': 'socks5://x' } }),
      {},
      'proxy-url is no http or https URL: other proxies are not supported',
    ],
    ['a scalar', 'text', {}, 'not a kubeconfig: no mapping at the top'],
    ['broken YAML, without quoting it', 'a: b\ntoken: "secret', {}, 'not a kubeconfig: no YAML (line 2)'],
  ])('is refused with %s', async (_, kubeconfigText, options, message) => {
    const error = await errorOf(loadConfig({ kubeconfigText, ...options }));
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toHaveProperty('message', message);
  });

  it('that is not there is named', async () => {
    expect(await errorOf(loadConfig({ kubeconfig: '/none/config' }))).toHaveProperty(
      'message',
      expect.stringContaining('kubeconfig /none/config: ENOENT'),
    );
    expect(await errorOf(loadConfig({ env: { KUBECONFIG: '/none/a:/none/b' } }))).toHaveProperty(
      'message',
      '$KUBECONFIG: none of /none/a, /none/b is there',
    );
    const home = await folderWith({});
    expect(await errorOf(loadConfig({ env: { HOME: home } }))).toBeInstanceOf(ConfigError);
  });
});

describe('a kubeconfig from an untrusted place', () => {
  it.each([
    ['certificate-authority', { cluster: { 'certificate-authority': '/etc/passwd' } }],
    ['client-certificate', { user: { 'client-certificate': '/etc/passwd', 'client-key': '/etc/passwd' } }],
    ['tokenFile', { user: { tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token' } }],
  ])('may not have the content of a file sent to its server: %s', async (field, parts) => {
    const error = await errorOf(loadConfig({ kubeconfigText: kubeconfig(parts) }));
    expect(error).toHaveProperty(
      'message',
      `${field} names a file, which may not be read here: put its content into the kubeconfig`,
    );
  });

  it.each(['exec', 'auth-provider'])('may not run a program: %s', async (field) => {
    const text = kubeconfig({ user: { [field]: { command: 'touch', args: ['/tmp/owned'] } } });
    expect(await errorOf(loadConfig({ kubeconfigText: text, allowExec: true }))).toBeInstanceOf(ConfigError);
  });
});

// Loading client-node takes seconds where the machine is busy.
describe('a credential plugin', { timeout: 60_000 }, () => {
  /** Answers with a token of its own each time it runs, and with what it was told. */
  const PLUGIN = `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO" > "$(dirname "$0")/info"
echo x >> "$(dirname "$0")/runs"
n=$(grep -c x "$(dirname "$0")/runs")
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-'$n'"}}'
`;

  async function pluginConfig(script: string): Promise<string> {
    const folder = await folderWith({ plugin: script });
    await chmod(join(folder, 'plugin'), 0o700);
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: join(folder, 'plugin'), args: [] };
    await writeFile(join(folder, 'config'), kubeconfig({ user: { exec } }));
    return join(folder, 'config');
  }

  it('does not run unless that is allowed', async () => {
    const error = await errorOf(loadConfig({ kubeconfig: await pluginConfig(PLUGIN) }));
    expect(error).toHaveProperty(
      'message',
      'the user has a credential plugin (exec or auth-provider), which may not run here',
    );
  });

  it('gives the token, and another one when the server refuses that', async () => {
    const { credentials } = await loadConfig({ kubeconfig: await pluginConfig(PLUGIN), allowExec: true });
    if (credentials === undefined) throw new Error('no credentials');
    const server = await HttpServer.start(({ headers }, response) => {
      if (headers.authorization === 'Bearer token-1')
        sendJson(response, 401, status(401, 'Unauthorized', 'expired'));
      else sendJson(response, 200, {});
    });
    const transport = transportTo(server.url, { credentials });
    await transport.request({ method: 'GET', path: '/version' });
    await transport.request({ method: 'GET', path: '/version' });
    const sent = server.received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  it('that fails is quoted', async () => {
    const error = await errorOf(
      loadConfig({
        kubeconfig: await pluginConfig('#!/bin/sh\necho "not logged in" >&2; exit 1\n'),
        allowExec: true,
      }),
    );
    expect(error).toHaveProperty('message', 'the credential plugin failed: not logged in');
  });
});

describe('in a pod', () => {
  it('the service account counts', async () => {
    const folder = await folderWith({ 'ca.crt': 'CA', namespace: 'convoy-system\n', token: 'abc' });
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await inClusterConnection(env, folder)).toEqual({
      server: 'https://[fd00::1]:443',
      caPem: 'CA',
      tokenFile: join(folder, 'token'),
      namespace: 'convoy-system',
    });
  });

  it('it is said what is missing', async () => {
    expect(await errorOf(loadConfig({ inCluster: true, env: {} }))).toHaveProperty(
      'message',
      expect.stringContaining('not in a pod'),
    );
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    expect(await errorOf(inClusterConnection(env, '/none'))).toHaveProperty(
      'message',
      expect.stringContaining('/none/'),
    );
  });
});
