/**
 * A set of fields as Kubernetes writes it (FieldsV1): `f:` names a field, `k:` an item of a list by its keys, `v:` an item
 * by its value. An empty object is a member; in one with others below it, `.` says that it is a member itself.
 */
export interface FieldSet {
  [element: string]: FieldSet;
}

/** What is in either of two sets. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(a) && isLeaf(b)) return {};
  const elements = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (isLeaf(a) || isLeaf(b)) elements.add('.');
  return Object.fromEntries([...elements].sort().map((element) => [element, both(a[element], b[element])]));
}

function both(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet {
  return a === undefined || b === undefined ? (a ?? b ?? {}) : union(a, b);
}

/**
 * The part of a set that a document has as well.
 * @param value the document, as JSON
 * @returns undefined where that is nothing
 */
export function within(set: FieldSet, value: unknown): FieldSet | undefined {
  if (isLeaf(set)) return set;
  const parts = Object.entries(set).flatMap(([element, below]) => {
    if (element === '.') return [[element, below] as const];
    const found = itemOf(value, element);
    const part = found === undefined ? undefined : within(below, found);
    return part === undefined ? [] : [[element, part] as const];
  });
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}

/**
 * What is left of a document when the fields of a set are taken out of it, but for those that another set has as well.
 * @param value the document, as JSON; is not changed
 */
export function without(value: unknown, set: FieldSet, kept: FieldSet): unknown {
  return Object.entries(set).reduce((rest, [element, below]) => {
    const found = element === '.' ? undefined : itemOf(rest, element);
    if (found === undefined) return rest;
    const keptBelow = kept[element];
    if (keptBelow === undefined) return replaced(rest, element, found, undefined);
    return isLeaf(keptBelow) ? rest : replaced(rest, element, found, without(found, below, keptBelow));
  }, value);
}

/** A document with something else in place of an item; undefined takes it out. */
function replaced(value: unknown, element: string, item: unknown, other: unknown): unknown {
  if (Array.isArray(value))
    return value.flatMap((one: unknown) => (one !== item ? [one] : other === undefined ? [] : [other]));
  if (!isRecord(value)) return value;
  const field = element.slice(2);
  if (other !== undefined) return { ...value, [field]: other };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

function isLeaf(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

function itemOf(value: unknown, element: string): unknown {
  const rest = element.slice(2);
  if (element.startsWith('f:'))
    return isRecord(value) && Object.hasOwn(value, rest) ? value[rest] : undefined;
  if (!Array.isArray(value)) return undefined;
  const wanted: unknown = JSON.parse(rest);
  if (element.startsWith('v:')) return value.find((item) => JSON.stringify(item) === JSON.stringify(wanted));
  return value.find((item) => isRecord(item) && isRecord(wanted) && hasKeys(item, wanted));
}

/** A key that a document leaves out has its default. */
function hasKeys(item: Record<string, unknown>, keys: Record<string, unknown>): boolean {
  return Object.entries(keys).every(([key, value]) => item[key] === undefined || item[key] === value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
