import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/object.ts';
import type { FieldSet } from './fieldSet.ts';

/** One entry of an object's managedFields. */
export interface ManagedFields {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  subresource?: string;
  time?: string;
  fieldsV1?: FieldSet;
}

export function managedFieldsOf(object: KubeObject): readonly ManagedFields[] {
  return object.metadata.managedFields ?? [];
}

/**
 * A mark of the fields that a manager holds by server-side apply. Whoever changes or removes one of them takes it from the
 * manager, or moves the time of its entry, so the mark of an object whose applied fields were touched differs from that
 * of the apply; edits of other fields leave it as it is.
 * @param object as the API server gave it, with its managedFields
 * @returns '' where the manager holds nothing
 */
export function appliedMark(object: KubeObject, manager: string): string {
  const own = managedFieldsOf(object).find(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource,
  );
  if (own === undefined) return '';
  const text = JSON.stringify([own.time, own.fieldsV1]);
  return createHash('sha256').update(text).digest('base64').slice(0, 24);
}

/**
 * Who else has changed fields of an object last, status apart: the name of that field manager.
 * @returns '' where nobody else holds a field
 */
export function lastOtherManager(object: KubeObject, manager: string): string {
  const others = managedFieldsOf(object).filter((entry) => entry.manager !== manager && !entry.subresource);
  const latest = others.reduce<ManagedFields | undefined>(
    (last, entry) => ((entry.time ?? '') >= (last?.time ?? '') ? entry : last),
    undefined,
  );
  return latest?.manager ?? '';
}
