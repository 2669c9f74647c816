import type { ConnectionConfig } from '../../kube/connection.ts';
import { contextConnection } from '../../kube/contextConnection.ts';
import {
  ConfigError,
  type Kubeconfig,
  readKubeconfigFiles,
  type SelectedContext,
} from '../../kube/kubeconfig.ts';
import type { Flags } from '../cli/flags.ts';
import { kubeconfigFiles } from './kubeconfigFiles.ts';

export type ConnectionFlags = Pick<Flags, 'context' | 'kubeconfig' | 'cluster' | 'user' | 'as' | 'asGroups'>;

/** Where the flags and the kubeconfig lead, as kubectl reads them. Throws ConfigError that says what is missing. */
export async function connectionOf(
  flags: ConnectionFlags,
  env: NodeJS.ProcessEnv,
): Promise<ConnectionConfig> {
  const files = await kubeconfigFiles(flags.kubeconfig, env);
  return impersonated(files.length === 0 ? await withoutFiles(env) : await fromFiles(files, flags), flags);
}

async function fromFiles(files: string[], flags: ConnectionFlags): Promise<ConnectionConfig> {
  const selected = select(await readKubeconfigFiles(files), flags);
  return await contextConnection(selected, { allowExec: true, allowFiles: true });
}

/** In a pod kubectl takes the pod's own service account. */
async function withoutFiles(env: NodeJS.ProcessEnv): Promise<ConnectionConfig> {
  if ((env['KUBERNETES_SERVICE_HOST'] ?? '') === '')
    throw new ConfigError('there is no kubeconfig: neither --kubeconfig nor $KUBECONFIG nor ~/.kube/config');
  const { inClusterConnection } = await import('../../kube/inCluster.ts');
  return await inClusterConnection(env);
}

/** The context's cluster and user, each of which a flag can replace; with both flags no context is needed. */
function select(config: Kubeconfig, flags: ConnectionFlags): SelectedContext {
  const contextName = flags.context ?? config.currentContext;
  const context = config.contexts.get(contextName) ?? {};
  const isNeeded = flags.cluster === undefined || flags.user === undefined;
  if (contextName === '' && isNeeded)
    throw new ConfigError('the kubeconfig has no current-context, and --context names none');
  if (contextName !== '' && !config.contexts.has(contextName))
    throw new ConfigError(
      `the kubeconfig has no context ${JSON.stringify(contextName)}${listed(config.contexts)}`,
    );
  const { namespace } = context;
  return {
    cluster: part(config.clusters, 'cluster', flags.cluster ?? context['cluster']),
    user:
      flags.user === undefined && context['user'] === undefined
        ? {}
        : part(config.users, 'user', flags.user ?? context['user']),
    namespace: typeof namespace === 'string' ? namespace : '',
  };
}

function part(parts: Kubeconfig['clusters'], what: string, name: unknown): Record<string, unknown> {
  const key = typeof name === 'string' ? name : '';
  const found = parts.get(key);
  if (found === undefined)
    throw new ConfigError(`the kubeconfig has no ${what} ${JSON.stringify(key)}${listed(parts)}`);
  return found;
}

const LISTED = 10;

function listed(parts: ReadonlyMap<string, unknown>): string {
  if (parts.size === 0) return '';
  const names = [...parts.keys()];
  const more = names.length - LISTED;
  return `; it has ${names.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function impersonated(config: ConnectionConfig, { as, asGroups }: ConnectionFlags): ConnectionConfig {
  if (as === undefined) {
    if (asGroups.length > 0) throw new ConfigError('--as-group needs --as');
    return config;
  }
  return { ...config, impersonate: { user: as, ...(asGroups.length === 0 ? {} : { groups: asGroups }) } };
}
