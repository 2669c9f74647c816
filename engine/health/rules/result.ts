import { celType, type CelValue } from '@bufbuild/cel';

/** What a value is, as messages name it: `int`, `list`. */
export function typeName(value: CelValue): string {
  return celType(value).name;
}

/** A text, or a number or flag as a text; undefined for what no person reads. */
export function asText(value: CelValue): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
