import { readFile } from 'node:fs/promises';
import type { ConnectionConfig, Impersonation } from './connection.ts';
import { isRecord, listOf, textOf } from './json.ts';
import { ConfigError, type SelectedContext } from './kubeconfig.ts';

/** What a kubeconfig may make this process do. */
export interface Trust {
  /** Run credential plugins. */
  allowExec: boolean;
  /** Read the files that it names: whoever writes the kubeconfig names the server that gets their content. */
  allowFiles: boolean;
}

/** A context of a kubeconfig as plain data. Throws ConfigError for what is missing, malformed or not allowed. */
export async function contextConnection(
  { cluster, user, namespace }: SelectedContext,
  trust: Trust,
): Promise<ConnectionConfig> {
  const caPem = await pem(cluster, 'certificate-authority', trust);
  const tlsServerName = textOf(cluster['tls-server-name']);
  const proxyUrl = textOf(cluster['proxy-url']);
  const impersonate = impersonation(user);
  const config: ConnectionConfig = {
    server: serverUrl(textOf(cluster['server'])),
    ...(caPem === undefined ? {} : { caPem }),
    ...(tlsServerName === '' ? {} : { serverName: tlsServerName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
    ...(proxyUrl === '' ? {} : { proxyUrl: httpProxy(proxyUrl) }),
    ...(impersonate === undefined ? {} : { impersonate }),
    ...(namespace === '' ? {} : { namespace }),
    ...(await userCredentials(user, trust)),
  };
  return isRecord(user['exec']) || isRecord(user['auth-provider'])
    ? await withPlugin(config, user, trust)
    : config;
}

async function userCredentials(
  user: Record<string, unknown>,
  trust: Trust,
): Promise<Partial<ConnectionConfig>> {
  const certPem = await pem(user, 'client-certificate', trust);
  const keyPem = await pem(user, 'client-key', trust);
  if ((certPem === undefined) !== (keyPem === undefined)) {
    throw new ConfigError('a user has only one of client-certificate and client-key');
  }
  const found: Partial<ConnectionConfig> =
    certPem === undefined || keyPem === undefined ? {} : { certPem, keyPem };
  for (const field of ['token', 'tokenFile', 'username', 'password'] as const) {
    const value = textOf(user[field]);
    if (value === '') continue;
    if (field === 'tokenFile') mayRead(field, trust);
    found[field] = value;
  }
  return found;
}

async function withPlugin(
  config: ConnectionConfig,
  user: Record<string, unknown>,
  trust: Trust,
): Promise<ConnectionConfig> {
  if (!trust.allowExec)
    throw new ConfigError('the user has a credential plugin (exec or auth-provider), which may not run here');
  const { pluginConnection } = await import('./credentialPlugin.ts');
  return await pluginConnection(config, user);
}

/** `…-data` in base64 wins over the file, as in client-go. */
async function pem(entry: Record<string, unknown>, field: string, trust: Trust): Promise<string | undefined> {
  const data = textOf(entry[`${field}-data`]);
  if (data !== '') return Buffer.from(data, 'base64').toString('utf8');
  const file = textOf(entry[field]);
  if (file === '') return undefined;
  mayRead(field, trust);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ConfigError(`${field}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function mayRead(field: string, { allowFiles }: Trust): void {
  if (!allowFiles)
    throw new ConfigError(
      `${field} names a file, which may not be read here: put its content into the kubeconfig`,
    );
}

function serverUrl(server: string): string {
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw new ConfigError(`server ${JSON.stringify(server)} is no http or https URL`);
  }
  return server;
}

function httpProxy(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ConfigError('proxy-url is no http or https URL: other proxies are not supported');
  }
  return url;
}

function impersonation(user: Record<string, unknown>): Impersonation | undefined {
  const name = textOf(user['as']);
  const uid = textOf(user['as-uid']);
  const groups = listOf(user['as-groups']).map(textOf);
  const extra = isRecord(user['as-user-extra']) ? Object.entries(user['as-user-extra']) : [];
  if (name === '') {
    if (uid !== '' || groups.length > 0 || extra.length > 0)
      throw new ConfigError('as-uid, as-groups and as-user-extra need "as"');
    return undefined;
  }
  return {
    user: name,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra.length === 0
      ? {}
      : { extra: Object.fromEntries(extra.map(([key, values]) => [key, listOf(values).map(textOf)])) }),
  };
}
