import { parseArgs } from 'node:util';
import type { Shard } from '../engine/shards/shard.ts';
import {
  ELECTION_FLAGS,
  ELECTION_USAGE,
  electionOf,
  type ElectionOptions,
  withBareFlag,
} from './electionOptions.ts';
import { SHARD_FLAGS, SHARD_USAGE, shardOf } from './shardOptions.ts';
import { storeLocation, type StoreLocation } from './store/location.ts';
import { UsageError } from './usage.ts';

export interface Options {
  kubeconfig: string | undefined;
  context: string | undefined;
  /** Releases of this namespace alone are kept, and objects in it alone are applied; undefined: all. */
  namespace: string | undefined;
  /** `host:port` of `/healthz`, `/readyz`, `/metrics` and `/sync`. */
  listen: string;
  /** Releases that are reconciled at once. */
  concurrency: number;
  /** Where renders are kept. */
  renderStore: StoreLocation;
  /** Undefined: it acts without asking whether others do. */
  election: ElectionOptions | undefined;
  shard: Shard;
  /** ServiceAccount that Releases act as which name none. */
  defaultServiceAccount: string | undefined;
  logLevel: string;
  /** Kubeconfigs of Clusters may lead to this machine itself. */
  allowLoopbackClusters: boolean;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** A DNS label. */
const NAMESPACE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Of a ServiceAccount: a DNS subdomain. */
const ACCOUNT_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

export const USAGE = `convoy-controller: keeps Releases applied

  --kubeconfig FILE    kubeconfig of the cluster; without it KUBECONFIG, else the cluster that this runs in
  --context NAME       context of the kubeconfig; without it its current one
  --namespace NAME     keep the Releases of this namespace alone, whose objects have to be in it too: it asks for nothing of
                       other namespaces; its Lease is there (default: all namespaces)
  --listen HOST:PORT   address of /healthz, /readyz, /metrics and /sync (default 0.0.0.0:8080)
  --concurrency N      Releases reconciled at once (default 8); small ones count 1/32 each
  --render-store STORE where renders are kept to go back to: secrets, none or oci://HOST/REPOSITORY (default secrets)
  --render-store-credentials FILE
                       docker configuration file for oci://… (default $DOCKER_CONFIG/config.json or ~/.docker/config.json)
  --render-store-plain-http
                       asks that registry without TLS; one on this machine is asked so anyway
  --default-service-account NAME
                       ServiceAccount, in its own namespace, that a Release without spec.serviceAccountName acts as
                       (default: the identity of this controller)
  --allow-loopback-clusters
                       let kubeconfigs of Clusters lead to loopback and link-local addresses: whoever may write
                       Secrets and Clusters reaches what listens on this machine then
${ELECTION_USAGE}${SHARD_USAGE}  --log-level LEVEL    ${LOG_LEVELS.join(', ')} (default info)
  --help               this text
`;

/**
 * Reads the command line.
 * @returns undefined where help is asked for
 * @throws UsageError
 */
export function parseOptions(args: string[]): Options | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const concurrency = Number(values.concurrency ?? '8');
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    throw new UsageError(`--concurrency ${values.concurrency ?? ''}: it takes a whole number from 1 to 256`);
  }
  const listen = values.listen ?? '0.0.0.0:8080';
  if (!/^(\[[0-9a-fA-F:]+\]|[^:]+):\d{1,5}$/.test(listen))
    throw new UsageError(`--listen ${listen}: it takes HOST:PORT, for example 127.0.0.1:8080`);
  const logLevel = values['log-level'] ?? 'info';
  if (!LOG_LEVELS.includes(logLevel))
    throw new UsageError(`--log-level ${logLevel}: it takes one of ${LOG_LEVELS.join(', ')}`);
  const renderStore = storeLocation({
    store: values['render-store'] ?? 'secrets',
    credentialsFile: values['render-store-credentials'],
    plainHttp: values['render-store-plain-http'] ?? false,
  });
  if ('problem' in renderStore) throw new UsageError(renderStore.problem);
  const defaultServiceAccount = values['default-service-account'];
  if (defaultServiceAccount !== undefined && !ACCOUNT_NAME.test(defaultServiceAccount))
    throw new UsageError(
      `--default-service-account ${defaultServiceAccount}: it takes the name of a ServiceAccount, for example deployer`,
    );
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    namespace: namespaceOf(values.namespace),
    listen,
    concurrency,
    renderStore,
    election: electionOf({
      ...(values.namespace === undefined ? {} : { 'leader-elect-namespace': values.namespace }),
      ...values,
    }),
    shard: shardOf(values),
    defaultServiceAccount,
    logLevel,
    allowLoopbackClusters: values['allow-loopback-clusters'] === true,
  };
}

/** @throws UsageError */
function namespaceOf(name: string | undefined): string | undefined {
  if (name !== undefined && !NAMESPACE_NAME.test(name))
    throw new UsageError(`--namespace ${name}: it takes the name of a namespace, for example apps`);
  return name;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args: withBareFlag(args),
      options: {
        ...ELECTION_FLAGS,
        ...SHARD_FLAGS,
        kubeconfig: { type: 'string' },
        context: { type: 'string' },
        namespace: { type: 'string' },
        listen: { type: 'string' },
        concurrency: { type: 'string' },
        'render-store': { type: 'string' },
        'render-store-credentials': { type: 'string' },
        'render-store-plain-http': { type: 'boolean' },
        'default-service-account': { type: 'string' },
        'log-level': { type: 'string' },
        'allow-loopback-clusters': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
