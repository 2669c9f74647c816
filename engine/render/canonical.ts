import { keyOf, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { isRawNumber } from './number.ts';

/** By code unit, as the digest needs it: no locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of a render: group, kind, namespace, name. */
export function compareKeys(a: ObjectKey, b: ObjectKey): number {
  return (
    compareText(a.group, b.group) ||
    compareText(a.kind, b.kind) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name)
  );
}

/** @returns the objects in the order of a render */
export function sortObjects<T extends KubeObject>(objects: readonly T[]): T[] {
  return objects
    .map((object) => ({ object, key: keyOf(object) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ object }) => object);
}

/**
 * Writes a value as the one JSON text that stands for it: keys by code unit, no spaces, the text of numbers kept.
 * @param value plain JSON, with RawJson where a double is not enough; undefined fields are left out
 */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Not by JSON.stringify, of which an older Node, where the plugin runs too, does not have this.
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[key];
    if (field !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}
