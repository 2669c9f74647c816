import { KubeClient } from '../../kube/client.ts';
import type { ConnectionConfig } from '../../kube/connection.ts';
import { httpsTransport } from '../../kube/httpsTransport.ts';
import { withRetry } from '../../kube/retry.ts';
import type { Transport } from '../../kube/transport.ts';
import type { Flags } from '../cli/flags.ts';
import { CLIENT_VERSION } from '../version.ts';
import { type ConnectionFlags, connectionOf } from './connection.ts';

/** A way to the API server, for one command. */
export interface Session {
  transport: Transport;
  client: KubeClient;
  /** The one that -n names, else that of the context, else `default`. */
  namespace: string;
  /** For messages. */
  server: string;
}

export type SessionFlags = ConnectionFlags & Pick<Flags, 'namespace' | 'requestTimeoutMs'>;

/** Runs what needs the API server, and closes the connections afterwards. Throws ConfigError, and what `use` throws. */
export async function withSession<T>(
  flags: SessionFlags,
  env: NodeJS.ProcessEnv,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const config = await connectionOf(flags, env);
  const transport = withRetry(await transportFor(config, flags.requestTimeoutMs));
  try {
    return await use({
      transport,
      client: new KubeClient(transport),
      namespace: flags.namespace ?? config.namespace ?? 'default',
      server: config.server,
    });
  } finally {
    await transport.close();
  }
}

/** Where no --request-timeout says otherwise: a busy API server takes its time for a handshake. */
const CONNECT_TIMEOUT_MS = 30_000;

/** Longest that a timer of Node can wait; `--request-timeout 0` asks for no limit. */
const NO_LIMIT_MS = 2_147_483_647;

async function transportFor(config: ConnectionConfig, timeoutMs: number | undefined): Promise<Transport> {
  const limitMs = timeoutMs === 0 ? NO_LIMIT_MS : timeoutMs;
  const options = {
    userAgent: `kubectl-convoy/${CLIENT_VERSION}`,
    connections: 8,
    connectTimeoutMs: limitMs ?? CONNECT_TIMEOUT_MS,
    ...(limitMs === undefined ? {} : { timeoutMs: limitMs }),
  };
  if (config.proxyUrl === undefined) return httpsTransport(config, options);
  // Only undici goes through proxies; it costs ten times as much to load.
  const { UndiciTransport } = await import('../../kube/undiciTransport.ts');
  return new UndiciTransport(config, options);
}
