import type { KubeObject } from '../../api/object.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound, isRetryable } from '../../kube/errors.ts';
import { Halt } from '../release/halt.ts';
import { CONFIG_MAPS, SECRETS } from '../resources.ts';

type Reference = NonNullable<NonNullable<ReleaseSpec['content']>['variablesFrom']>[number];

/** What replaces `${name}` in the source. */
export interface FetchedVariables {
  /** Undefined where the Release names none: then nothing is replaced. */
  values: Map<string, string> | undefined;
  /** Names of those whose values come from Secrets: no message may tell them. */
  secret: Set<string>;
}

interface DataObject extends KubeObject {
  data?: Record<string, string>;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads `spec.content.variables` and `variablesFrom`: of several that have a name the last one counts, and `variables` before
 * all (sources.md).
 * @throws Halt `SourceFailed`: what is applied stays as it is
 */
export async function fetchVariables(client: KubeClient, release: Release): Promise<FetchedVariables> {
  const { variables = {}, variablesFrom = [] } = release.spec.content ?? {};
  const secret = new Set<string>();
  const isGiven = Object.keys(variables).length > 0 || variablesFrom.length > 0;
  if (!isGiven) return { values: undefined, secret };
  const values = new Map<string, string>();
  for (const reference of variablesFrom) {
    for (const [name, value] of await entriesOf(client, release.metadata.namespace ?? '', reference)) {
      values.set(name, value);
      if (reference.kind === 'Secret') secret.add(name);
      else secret.delete(name);
    }
  }
  for (const [name, value] of Object.entries(variables)) {
    values.set(name, value);
    secret.delete(name);
  }
  return { values, secret };
}

async function entriesOf(
  client: KubeClient,
  namespace: string,
  { kind, name, optional = false }: Reference,
): Promise<[string, string][]> {
  const what = `${kind} ${name} in ${namespace}, which spec.content.variablesFrom names,`;
  try {
    const resource = kind === 'Secret' ? SECRETS : CONFIG_MAPS;
    const { data = {} } = await client.get<DataObject>(resource, { namespace, name });
    const entries = Object.entries(data);
    return kind === 'Secret'
      ? entries.map(([key, value]) => [key, decoded(value, `${what} key ${key}`)])
      : entries;
  } catch (error) {
    if (error instanceof Halt) throw error;
    if (isNotFound(error) && optional) return [];
    const remedy = isNotFound(error)
      ? 'does not exist: create it, correct the name, or mark it as optional'
      : `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw failed(`${what} ${remedy}`, isRetryable(error), error);
  }
}

function decoded(base64: string, what: string): string {
  try {
    return UTF8.decode(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw failed(`${what}: it is not UTF-8 text – take the key out`, false, error);
  }
}

function failed(message: string, mayHeal: boolean, cause: unknown): Halt {
  const resume = mayHeal ? 'retry' : 'change';
  return new Halt(message, { reason: 'SourceFailed', stage: 'Source', resume, cause });
}
