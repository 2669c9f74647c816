import { isMap } from '../render/objects.ts';
import type { Change } from './change.ts';
import type { Writer } from './writer.ts';

/** Makes a merge patch of RFC 7386: null removes a field, maps are merged, all else (lists too) is replaced. */
export const applyMergePatch: Change = (object, { mergePatch = {} }, writer) =>
  merge(object, mergePatch, writer);

function merge(target: unknown, patch: unknown, writer: Writer): unknown {
  if (!isMap(patch)) return writer.write(patch);
  const merged: Record<string, unknown> = isMap(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, key);
    else
      merged[writer.write(key)] = merge(Object.hasOwn(merged, key) ? merged[key] : undefined, value, writer);
  }
  return merged;
}
