import type { Cluster } from '../../api/cluster.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { loadConfig } from '../../kube/config.ts';
import type { ConnectionConfig } from '../../kube/connection.ts';
import { isNotFound } from '../../kube/errors.ts';
import { ConfigError } from '../../kube/kubeconfig.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Unreached } from './reach.ts';

/** Characters: real ones have some thousand. */
const LONGEST = 262_144;

/** The kubeconfig of a Cluster, and where it comes from. */
export interface FoundKubeconfig {
  secret: KubeObject;
  text: string;
}

/** Reads the Secret that a Cluster names. @throws ApiError, ConnectionError of the cluster that the controller runs on */
export async function findKubeconfig(
  client: KubeClient,
  { metadata, spec }: Cluster,
  signal: AbortSignal,
): Promise<FoundKubeconfig | Unreached> {
  const { name = '', key = DEFAULTS.kubeconfigKey } = spec?.kubeconfig?.secretRef ?? {};
  const { namespace = '' } = metadata;
  const secret = await client.get(SECRETS, { namespace, name }, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (secret === undefined) return missing(`Secret ${name} does not exist in namespace ${namespace}`);
  const data = (secret as { data?: Record<string, string> }).data?.[key];
  if (data === undefined) return missing(`Secret ${name} has no key ${key}`);
  const text = Buffer.from(data, 'base64').toString('utf8');
  if (text.length > LONGEST) return refused(name, `it is longer than ${LONGEST} characters`);
  return { secret, text };
}

/** What a kubeconfig says, of which nothing may run a program, read a file or lead through a proxy. */
export async function readKubeconfig({
  secret,
  text,
}: FoundKubeconfig): Promise<ConnectionConfig | Unreached> {
  const { name } = secret.metadata;
  try {
    const config = await loadConfig({ kubeconfigText: text });
    if (config.proxyUrl !== undefined)
      return refused(
        name,
        'it has a proxy-url: a proxy would reach what the controller may not – leave it out',
      );
    return config;
  } catch (error) {
    if (error instanceof ConfigError) return refused(name, error.message);
    throw error;
  }
}

export function refused(secret: string, why: string): Unreached {
  return { reason: 'KubeconfigRefused', message: `the kubeconfig in Secret ${secret} is refused: ${why}` };
}

function missing(what: string): Unreached {
  return { reason: 'KubeconfigMissing', message: `${what} – create it with a kubeconfig of the cluster` };
}
