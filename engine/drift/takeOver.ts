import type { KubeObject } from '../../api/object.ts';
import { type FieldSet, union, within, without } from './fieldSet.ts';
import { type ManagedFields, managedFieldsOf } from './mark.ts';

/** Where `kubectl apply` keeps what it has sent. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

interface Predecessor {
  manager: string;
  /** What of its fields is handed over: all, or what `kubectl apply` sent last. */
  fields: 'all' | 'last-applied';
}

/**
 * Field managers by which people have written whole manifests. Their entries would keep a field alive that the render no
 * longer has. `before-first-apply` is what the API server calls everybody from before it kept note, controllers included.
 */
const PREDECESSORS: readonly Predecessor[] = [
  { manager: 'kubectl-client-side-apply', fields: 'all' },
  { manager: 'kubectl-create', fields: 'all' },
  { manager: 'kubectl-replace', fields: 'all' },
  { manager: 'kubectl-edit', fields: 'all' },
  { manager: 'before-first-apply', fields: 'last-applied' },
];

/**
 * The managedFields of an object that a manager has applied, when it takes over what kubectl had written: its next apply
 * then removes what it does not send.
 * @returns undefined where there is nothing to take over
 */
export function takenOver(object: KubeObject, manager: string): ManagedFields[] | undefined {
  const entries = managedFieldsOf(object);
  const own = entries.find((entry) => isOwn(entry, manager));
  if (own === undefined) return undefined;
  const predecessors = entries.flatMap((entry) => {
    const found = predecessorOf(entry);
    const handed = found === undefined ? undefined : handedOver(entry, found, object);
    return handed === undefined ? [] : [{ entry, handed }];
  });
  if (predecessors.length === 0) return undefined;
  const fields = predecessors
    // Fields of another version of the type are not comparable.
    .filter(({ entry }) => entry.apiVersion === own.apiVersion)
    .reduce<FieldSet>((sum, { handed }) => union(sum, handed), own.fieldsV1 ?? {});
  const gone = new Set(predecessors.map(({ entry }) => entry));
  return entries
    .filter((entry) => !gone.has(entry))
    .map((entry) => (entry === own ? { ...own, fieldsV1: fields } : entry));
}

/**
 * What becomes of an object when the manager that has applied it takes over what kubectl had written, and applies again: what it
 * does not send and nobody else holds is gone. Only what kubectl has noted down as sent is told: the rest of its fields are
 * mostly defaults, which come back.
 */
export function afterTakeOver(object: KubeObject): KubeObject {
  const entries = managedFieldsOf(object);
  const isHanded = (entry: ManagedFields): boolean => predecessorOf(entry) !== undefined;
  const sent = lastApplied(object);
  const handed = entries.filter(isHanded).map(({ fieldsV1 = {} }) => within(fieldsV1, sent) ?? {});
  const kept = entries.filter((entry) => !isHanded(entry)).map(({ fieldsV1 = {} }) => fieldsV1);
  return without(object, handed.reduce(union, {}), kept.reduce(union, {})) as KubeObject;
}

function isOwn(entry: ManagedFields, manager: string): boolean {
  return entry.manager === manager && entry.operation === 'Apply' && !entry.subresource;
}

function predecessorOf({ manager, operation, subresource }: ManagedFields): Predecessor | undefined {
  if (operation !== 'Update' || subresource) return undefined;
  return PREDECESSORS.find((predecessor) => predecessor.manager === manager);
}

function handedOver(
  { fieldsV1 = {} }: ManagedFields,
  { fields }: Predecessor,
  object: KubeObject,
): FieldSet | undefined {
  return fields === 'all' ? fieldsV1 : within(fieldsV1, lastApplied(object));
}

function lastApplied({ metadata }: KubeObject): unknown {
  const text = metadata.annotations?.[LAST_APPLIED];
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Anybody may write an annotation.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
