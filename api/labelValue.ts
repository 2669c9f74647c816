import { createHash } from 'node:crypto';

const MAX_LABEL = 63;
const KEPT = 54;
const HASH_DIGITS = 8;

/** A name as a label value: one that is too long is its first 54 characters, `-`, and 8 hex digits of its SHA-256 (api.md). */
export function labelValue(name: string): string {
  if (name.length <= MAX_LABEL) return name;
  return `${name.slice(0, KEPT)}-${createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS)}`;
}
