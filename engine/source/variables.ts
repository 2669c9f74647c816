import type { KubeObject } from '../../api/object.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import { SourceError } from './fetched.ts';

type Content = NonNullable<ReleaseSpec['content']>;
/** One entry of `spec.content.variablesFrom`. */
export type VariablesReference = NonNullable<Content['variablesFrom']>[number];

/** What replaces `${name}` in the source. */
export interface FetchedVariables {
  /** Undefined where the Release names none: then nothing is replaced. */
  values: Map<string, string> | undefined;
  /** Names of those whose values come from Secrets: no message may tell them. */
  secret: Set<string>;
}

/** A ConfigMap or a Secret, as far as variables come from it. */
export interface DataObject extends KubeObject {
  data?: Record<string, string>;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The values of `spec.content.variables` and `variablesFrom`: of several that have a name the last one counts, and
 * `variables` before all (sources.md).
 * @param namespace where the objects were looked for
 * @param found what each entry of `variablesFrom` names; undefined where it is absent
 * @throws SourceError for one that is absent and not optional, and for a value that is no text
 */
export function variablesOf(
  { variables = {}, variablesFrom = [] }: Content,
  namespace: string,
  found: readonly (DataObject | undefined)[],
): FetchedVariables {
  const secret = new Set<string>();
  const isGiven = Object.keys(variables).length > 0 || variablesFrom.length > 0;
  if (!isGiven) return { values: undefined, secret };
  const values = new Map<string, string>();
  for (const [index, reference] of variablesFrom.entries()) {
    for (const [name, value] of entriesOf(reference, namespace, found[index])) {
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

/** The values that no message may tell. */
export function secretValues({ values, secret }: FetchedVariables): string[] {
  return [...secret].flatMap((name) => values?.get(name) ?? []);
}

/** How messages name what variables come from. */
export function describeReference({ kind, name }: VariablesReference, namespace: string): string {
  return `${kind} ${name} in ${namespace}, which spec.content.variablesFrom names,`;
}

function entriesOf(
  reference: VariablesReference,
  namespace: string,
  object: DataObject | undefined,
): [string, string][] {
  const what = describeReference(reference, namespace);
  if (object === undefined) {
    if (reference.optional === true) return [];
    throw new SourceError(`${what} does not exist: create it, correct the name, or mark it as optional`);
  }
  const entries = Object.entries(object.data ?? {});
  if (reference.kind !== 'Secret') return entries;
  return entries.map(([key, value]) => [key, decoded(value, `${what} key ${key}`)]);
}

function decoded(base64: string, what: string): string {
  try {
    return UTF8.decode(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SourceError(`${what}: it is not UTF-8 text – take the key out`, { cause: error });
  }
}
