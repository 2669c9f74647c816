import { celList, celMap, type CelInput, type CelMap } from '@bufbuild/cel';
import { isRawNumber, type RawJson } from '../../render/number.ts';
import type { Meter } from './meter.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const INTEGER = /^-?\d+$/;
/** Entries of a list that are turned into CEL for one step. */
const ENTRIES_PER_STEP = 4;

type MapKey = Parameters<CelMap['get']>[0];
type StoredKey = Exclude<MapKey, number>;

/**
 * A value of JSON as CEL has it, as Kubernetes reads it: a whole number that an int holds is one, any other a double. Maps
 * are turned as far as they are read, so that a large object costs no more than what a rule looks at.
 */
export function fromJson(value: unknown, meter: Meter): CelInput {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    meter.spend(value.length / ENTRIES_PER_STEP);
    return celList(value.map((entry) => fromJson(entry, meter)));
  }
  if (isRawNumber(value)) return fromText(value);
  if (typeof value === 'object' && value !== null)
    return celMap(new JsonMap(value as Record<string, unknown>, meter));
  return null;
}

function fromNumber(value: number): bigint | number {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value;
}

function fromText({ rawJSON }: RawJson): bigint | number {
  if (!INTEGER.test(rawJSON) || rawJSON.length > 20) return Number(rawJSON);
  const integer = BigInt(rawJSON);
  return integer >= INT64_MIN && integer <= INT64_MAX ? integer : Number(rawJSON);
}

/** The fields of a JSON object; each is turned into CEL once, when it is read first. */
class JsonMap implements ReadonlyMap<StoredKey, CelInput> {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #meter: Meter;
  readonly #read = new Map<string, CelInput>();
  #keys: readonly string[] | undefined;

  constructor(fields: Readonly<Record<string, unknown>>, meter: Meter) {
    this.#fields = fields;
    this.#meter = meter;
  }

  get size(): number {
    return this.#names().length;
  }

  has(key: StoredKey): boolean {
    return typeof key === 'string' && this.#fields[key] !== undefined && Object.hasOwn(this.#fields, key);
  }

  get(key: StoredKey): CelInput | undefined {
    if (typeof key !== 'string' || !this.has(key)) return undefined;
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const value = fromJson(this.#fields[key], this.#meter);
    this.#read.set(key, value);
    return value;
  }

  /** Each walk over them is paid for: a lookup by a number takes one. */
  *keys(): MapIterator<StoredKey> {
    const names = this.#names();
    this.#meter.spend(names.length);
    yield* names;
    return undefined;
  }

  *values(): MapIterator<CelInput> {
    for (const [, value] of this.entries()) yield value;
    return undefined;
  }

  *entries(): MapIterator<[StoredKey, CelInput]> {
    for (const key of this.keys()) yield [key, this.get(key) ?? null];
    return undefined;
  }

  [Symbol.iterator](): MapIterator<[StoredKey, CelInput]> {
    return this.entries();
  }

  forEach(callback: (value: CelInput, key: StoredKey, map: ReadonlyMap<StoredKey, CelInput>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }

  #names(): readonly string[] {
    this.#keys ??= Object.keys(this.#fields).filter((key) => this.#fields[key] !== undefined);
    return this.#keys;
  }
}
