import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { ConnectionConfig } from './connection.ts';
import { ConfigError } from './kubeconfig.ts';

/** Where the kubelet puts a pod's token. */
export const SERVICE_ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The pod's own service account (client-go's rest.InClusterConfig). Throws ConfigError outside of a pod. */
export async function inClusterConnection(
  env: NodeJS.ProcessEnv,
  folder = SERVICE_ACCOUNT_FOLDER,
): Promise<ConnectionConfig> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '' } = env;
  if (host === '' || port === '') {
    throw new ConfigError('not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set');
  }
  try {
    const [caPem, namespace] = await Promise.all([
      readFile(join(folder, 'ca.crt'), 'utf8'),
      readFile(join(folder, 'namespace'), 'utf8'),
    ]);
    return {
      server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
      caPem,
      tokenFile: join(folder, 'token'),
      namespace: namespace.trim(),
    };
  } catch (cause) {
    throw new ConfigError(
      `the pod's service account cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
