import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import type { PemPair } from './certificates.ts';

/** What a client needs to reach an API server. */
export interface Credentials {
  url: string;
  ca?: string;
  cert?: string;
  key?: string;
  token?: string;
}

/** Writes a kubeconfig with one context that authenticates by a client certificate. */
export async function writeKubeconfig(
  path: string,
  server: { url: string; caPem: string },
  client: PemPair,
): Promise<void> {
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [
      { name: 'test', cluster: { server: server.url, 'certificate-authority-data': base64(server.caPem) } },
    ],
    users: [
      {
        name: 'test',
        user: { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  await writeFile(path, stringify(config), { mode: 0o600 });
}

interface Named {
  name: string;
  cluster?: Record<string, string>;
  user?: Record<string, string>;
  context?: Record<string, string>;
}

/**
 * Reads the current context of a kubeconfig: certificates (inline or as files) and static tokens.
 * Throws for other ways to authenticate, such as exec plugins.
 */
export async function readCredentials(path: string): Promise<Credentials> {
  const config = parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  const entry = (list: string, name: unknown): Named => {
    const found = (config[list] as Named[] | undefined)?.find((item) => item.name === name);
    if (found === undefined) throw new Error(`${path} has no ${String(name)} in ${list}`);
    return found;
  };
  const context = entry('contexts', config['current-context']).context ?? {};
  const cluster = entry('clusters', context['cluster']).cluster ?? {};
  const user = entry('users', context['user']).user ?? {};
  const pem = async (fields: Record<string, string>, field: string): Promise<string | undefined> => {
    const inline = fields[`${field}-data`];
    if (inline !== undefined) return Buffer.from(inline, 'base64').toString();
    const file = fields[field];
    return file === undefined ? undefined : readFile(resolve(dirname(path), file), 'utf8');
  };
  const found = {
    url: cluster['server'],
    ca: await pem(cluster, 'certificate-authority'),
    cert: await pem(user, 'client-certificate'),
    key: await pem(user, 'client-key'),
    token: user['token'],
  };
  if (found.url === undefined) throw new Error(`${path}: the current context's cluster has no server`);
  if (found.cert === undefined && found.token === undefined) {
    throw new Error(`${path}: the current context has neither a client certificate nor a token`);
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  ) as unknown as Credentials;
}
