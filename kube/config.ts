import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ConnectionConfig, Impersonation } from './connection.ts';
import { ConfigError, parseKubeconfig, readKubeconfigFiles, selectContext } from './kubeconfig.ts';
import { contextConnection } from './contextConnection.ts';
import { inClusterConnection, SERVICE_ACCOUNT_FOLDER } from './inCluster.ts';
import { type RetryOptions, withRetry } from './retry.ts';
import type { Transport } from './transport.ts';
import { UndiciTransport, type UndiciTransportOptions } from './undiciTransport.ts';

export interface LoadOptions {
  /** A kubeconfig file; without it $KUBECONFIG, ~/.kube/config, then the pod's own service account. */
  kubeconfig?: string;
  /** A kubeconfig's text from an untrusted place: it may neither run programs nor name files of this machine. */
  kubeconfigText?: string;
  /** Instead of the kubeconfig's current context. */
  context?: string;
  /** Only the pod's own service account. */
  inCluster?: boolean;
  /** Whether credential plugins of a kubeconfig may run. */
  allowExec?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** How to reach an API server, from where kubectl looks too. Throws ConfigError that says what is missing. */
export async function loadConfig(options: LoadOptions = {}): Promise<ConnectionConfig> {
  const { env = process.env, context, allowExec = false } = options;
  if (options.inCluster === true) return await inClusterConnection(env);
  if (options.kubeconfigText !== undefined) {
    const selected = selectContext(await parseKubeconfig(options.kubeconfigText), context);
    return await contextConnection(selected, { allowExec: false, allowFiles: false });
  }
  const files = options.kubeconfig === undefined ? await usualFiles(env) : [options.kubeconfig];
  if (files.length > 0) {
    const selected = selectContext(await readKubeconfigFiles(files), context);
    return await contextConnection(selected, { allowExec, allowFiles: true });
  }
  if (await exists(join(SERVICE_ACCOUNT_FOLDER, 'token'))) return await inClusterConnection(env);
  throw new ConfigError(
    'no kubeconfig: neither $KUBECONFIG nor ~/.kube/config is there, and this is no pod with a service account',
  );
}

export type ConnectOptions = UndiciTransportOptions & {
  /** Act as somebody else; instead of what the configuration says. */
  impersonate?: Impersonation;
  retry?: RetryOptions;
};

/** A transport that waits where the server asks for it. Connects when first used. */
export function connect(
  config: ConnectionConfig,
  { impersonate, retry, ...options }: ConnectOptions,
): Transport {
  const identity = impersonate === undefined ? config : { ...config, impersonate };
  return withRetry(new UndiciTransport(identity, options), retry);
}

async function usualFiles(env: NodeJS.ProcessEnv): Promise<string[]> {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  const candidates = listed.length > 0 ? listed : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
  const present = await Promise.all(candidates.map(exists));
  if (listed.length > 0 && !present.includes(true))
    throw new ConfigError(`$KUBECONFIG: none of ${listed.join(', ')} is there`);
  return candidates.filter((_, index) => present[index]);
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
