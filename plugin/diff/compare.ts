import { isMap } from '../../engine/render/objects.ts';
import { LAST_APPLIED } from '../../engine/drift/takeOver.ts';
import { sameJson } from '../../engine/mutations/sameJson.ts';
import type { KubeObject } from '../../api/object.ts';

/** What changes by nature: the API server writes it at every write, or a controller at any time. */
const OF_THE_SERVER = [
  'managedFields',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'uid',
  'selfLink',
];

/** An object without what says nothing of what somebody wants of it. */
export function comparable(object: KubeObject): KubeObject {
  const { metadata, ...rest } = object;
  delete rest['status'];
  const { annotations, ...others } = metadata;
  const meta = Object.fromEntries(Object.entries(others).filter(([field]) => !OF_THE_SERVER.includes(field)));
  const told = Object.entries(annotations ?? {}).filter(([name]) => name !== LAST_APPLIED);
  return {
    ...rest,
    metadata: {
      ...(meta as unknown as KubeObject['metadata']),
      ...(told.length === 0 ? {} : { annotations: Object.fromEntries(told) }),
    },
  };
}

/**
 * What a live object has of that which an object says, for where the API server cannot be asked what would become of it.
 * @returns the live value cut to the fields that are wanted
 */
export function cutTo(wanted: unknown, live: unknown): unknown {
  if (isMap(wanted) && isMap(live)) {
    const fields = Object.keys(wanted).filter((field) => Object.hasOwn(live, field));
    return Object.fromEntries(fields.map((field) => [field, cutTo(wanted[field], live[field])]));
  }
  if (Array.isArray(wanted) && Array.isArray(live)) {
    return live.map((item: unknown, index) => (index < wanted.length ? cutTo(wanted[index], item) : item));
  }
  return live;
}

/** One field that differs. */
export interface FieldChange {
  /** JSON pointer; '' is the whole object. */
  path: string;
  /** Absent: it is not there. */
  before?: unknown;
  after?: unknown;
}

/** The fields in which two values differ, as deep as both have them. */
export function fieldChanges(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isMap(before) && isMap(after)) {
    const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return fields.flatMap((field) =>
      fieldChanges(before[field], after[field], `${path}/${pointerPart(field)}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) =>
      fieldChanges(before[index], after[index], `${path}/${index}`),
    ).flat();
  }
  if (sameJson(before, after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

function pointerPart(field: string): string {
  return field.replaceAll('~', '~0').replaceAll('/', '~1');
}
