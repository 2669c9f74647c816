import { RESOURCES } from '../../api/group.ts';
import { describe, keyOf, type KubeObject } from '../../api/object.ts';

/** Convoy's own record of what it has applied: a source that wrote it could make Convoy delete anything. */
const RECORD = RESOURCES.ReleaseInventory;
/** Objects that the message names at most. */
const NAMED = 10;

/** @returns a message where a render holds what Convoy alone writes */
export function recordProblem(objects: readonly KubeObject[]): string | undefined {
  const keys = objects.map(keyOf).filter(({ group, kind }) => group === RECORD.group && kind === RECORD.kind);
  if (keys.length === 0) return undefined;
  const names = keys.slice(0, NAMED).map(describe).join(', ');
  return `${names}: a ReleaseInventory is written by Convoy alone – take it out of the source`;
}
