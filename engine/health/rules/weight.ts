import { type CelValue, isCelList, isCelMap } from '@bufbuild/cel';
import type { Meter } from './meter.ts';

/** Characters of a text that are read for one step. */
const CHARACTERS_PER_STEP = 16;

/** Steps of reading a text or bytes once. */
export function reading(value: { readonly length: number }): number {
  return value.length / CHARACTERS_PER_STEP;
}

/** Pays for a look at all that a value is made of: lists in lists can be far larger than what they were made from. */
export function payForAll(value: CelValue, meter: Meter): void {
  meter.spend(isText(value) ? 1 + reading(value) : 1);
  if (isCelList(value)) for (const entry of value) payForAll(entry, meter);
  else if (isCelMap(value)) for (const entry of value.values()) payForAll(entry, meter);
}

export function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** Whether it is made of other values. */
export function isCompound(value: CelValue): boolean {
  return isCelList(value) || isCelMap(value);
}
