import type { ConnectionConfig, Credentials } from './connection.ts';
import { isRecord, listOf, textOf } from './json.ts';
import { ConfigError } from './kubeconfig.ts';

/** What a plugin answered, as client-node hands it over. */
interface PluginAnswer {
  headers: Record<string, string>;
  cert?: unknown;
  key?: unknown;
}

/**
 * Adds the credentials of a kubeconfig's exec or auth-provider plugin. Importing client-node costs half a second, so that
 * only those who need a plugin pay for it. Throws ConfigError where the plugin fails.
 */
export async function pluginConnection(
  config: ConnectionConfig,
  user: Record<string, unknown>,
): Promise<ConnectionConfig> {
  const run = await pluginRunner(config, user);
  let answer = await run();
  const credentials: Credentials = {
    async authorization() {
      answer = await run();
      return answer.headers['Authorization'];
    },
    async renew() {
      const refused = answer.headers['Authorization'];
      answer = await run({ forget: true });
      return answer.headers['Authorization'] !== refused;
    },
  };
  const [certPem, keyPem] = [textOf(answer.cert), textOf(answer.key)];
  return { ...config, ...(certPem === '' || keyPem === '' ? {} : { certPem, keyPem }), credentials };
}

async function pluginRunner(
  config: ConnectionConfig,
  user: Record<string, unknown>,
): Promise<(how?: { forget: boolean }) => Promise<PluginAnswer>> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const load = (): InstanceType<typeof KubeConfig> => {
    const kubeConfig = new KubeConfig();
    const cluster = { name: 'cluster', server: config.server, skipTLSVerify: config.insecure ?? false };
    kubeConfig.loadFromClusterAndUser(cluster, {
      name: 'user',
      exec: withExecInfo(user['exec'], config),
      authProvider: user['auth-provider'],
    });
    return kubeConfig;
  };
  let kubeConfig = load();
  return async (how) => {
    // It caches a credential until that ends; a fresh one asks the plugin again.
    if (how?.forget === true) kubeConfig = load();
    const answer: PluginAnswer = { headers: {} };
    try {
      await kubeConfig.applyToHTTPSOptions(answer);
    } catch (cause) {
      throw new ConfigError(
        `the credential plugin failed: ${cause instanceof Error ? cause.message.trim() : String(cause)}`,
        { cause },
      );
    }
    return answer;
  };
}

/** Plugins read from KUBERNETES_EXEC_INFO which version of their protocol is spoken; client-node does not set it. */
function withExecInfo(exec: unknown, config: ConnectionConfig): unknown {
  if (!isRecord(exec)) return undefined;
  const info = {
    apiVersion: textOf(exec['apiVersion']),
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(exec['provideClusterInfo'] === true ? { cluster: clusterInfo(config) } : {}),
    },
  };
  return {
    ...exec,
    env: [...listOf(exec['env']), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }],
  };
}

function clusterInfo({ server, caPem, serverName, insecure }: ConnectionConfig): Record<string, unknown> {
  return {
    server,
    'insecure-skip-tls-verify': insecure,
    'tls-server-name': serverName,
    ...(caPem === undefined ? {} : { 'certificate-authority-data': Buffer.from(caPem).toString('base64') }),
  };
}
