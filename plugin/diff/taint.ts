import { isMap } from '../../engine/render/objects.ts';

/**
 * Which parts of an object come from Secrets: all of it, or what each field says. Items of a list stand under `=NAME` where
 * all of them have names, as an API server merges them, else all under `*`.
 */
export type Taint = 'all' | ReadonlyMap<string, Taint>;

/** What stands for every item of a list. */
const ANY_ITEM = '*';

/**
 * Holds a render against the same one with other letters in place of what comes from Secrets: where they differ, a value of
 * a Secret has gone in.
 * @returns undefined where they are the same
 */
export function taintOf(value: unknown, blind: unknown): Taint | undefined {
  if (Array.isArray(value) && Array.isArray(blind)) return listTaint(value, blind);
  if (isMap(value) && isMap(blind)) return mapTaint(value, blind);
  return value === blind || JSON.stringify(value) === JSON.stringify(blind) ? undefined : 'all';
}

function mapTaint(value: Record<string, unknown>, blind: Record<string, unknown>): Taint | undefined {
  const fields = Object.keys(value);
  // A name that comes from a Secret must not be told either.
  if (fields.length !== Object.keys(blind).length || !fields.every((field) => Object.hasOwn(blind, field)))
    return 'all';
  return partsOf(fields.map((field) => [field, taintOf(value[field], blind[field])]));
}

function listTaint(value: readonly unknown[], blind: readonly unknown[]): Taint | undefined {
  if (value.length !== blind.length) return 'all';
  const names = itemNames(value);
  const areNamed = names !== undefined && itemNames(blind)?.join('\0') === names.join('\0');
  return partsOf(
    value.map((item, index) => [areNamed ? `=${names[index] ?? ''}` : ANY_ITEM, taintOf(item, blind[index])]),
  );
}

function partsOf(parts: readonly (readonly [string, Taint | undefined])[]): Taint | undefined {
  const tainted = new Map<string, Taint>();
  for (const [part, taint] of parts)
    if (taint !== undefined) tainted.set(part, both(tainted.get(part), taint));
  return tainted.size === 0 ? undefined : tainted;
}

function both(a: Taint | undefined, b: Taint): Taint {
  if (a === undefined) return b;
  if (a === 'all' || b === 'all') return 'all';
  return new Map([...a, ...[...b].map(([part, taint]) => [part, both(a.get(part), taint)] as const)]);
}

/** Of a field of a map. */
export function fieldTaint(taint: Taint | undefined, field: string): Taint | undefined {
  return taint === 'all' ? taint : taint?.get(field);
}

/** Of an item of a list. */
export function itemTaint(taint: Taint | undefined, item: unknown): Taint | undefined {
  if (taint === 'all' || taint === undefined) return taint;
  const name = nameOf(item);
  return (name === undefined ? undefined : taint.get(`=${name}`)) ?? taint.get(ANY_ITEM);
}

/** @returns the names of the items of a list, where each has one of its own */
export function itemNames(list: readonly unknown[]): string[] | undefined {
  const names = list.flatMap((item) => nameOf(item) ?? []);
  return names.length === list.length && new Set(names).size === names.length ? names : undefined;
}

function nameOf(item: unknown): string | undefined {
  return isMap(item) && typeof item['name'] === 'string' ? item['name'] : undefined;
}
