import { isMap } from '../render/objects.ts';
import { isRawNumber } from '../render/number.ts';

/** Tells whether two JSON values are equal as RFC 6902 says of `test`: the order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
    );
  }
  if (isRawNumber(a) && isRawNumber(b)) return a.rawJSON === b.rawJSON;
  return a === b;
}
