import { exactNumber, type ExactNumber } from './number.ts';

/** What an unquoted YAML scalar can mean. NaN and ±Infinity stand for `.nan` and `.inf`, which JSON cannot hold. */
export type Scalar = string | boolean | null | ExactNumber;

const WORDS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((w) => [w, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (w) => [w, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((w) => [w, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((w) => [w, NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((w) => [w, Infinity] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((w) => [w, -Infinity] as const),
]);
const LONGEST_WORD = 5;

/** By first character: 1 may be a word, 2 may be a number or a word, 0 is text. */
const HINT = new Uint8Array(128);
for (const c of 'yYnNtTfFoO~') HINT[c.charCodeAt(0)] = 1;
for (const c of '0123456789+-.') HINT[c.charCodeAt(0)] = 2;

const DECIMAL_INT = /^[-+]?(?:0|[1-9][0-9]*)$/;
const BASED_INT = /^([-+]?)0(?:[xX]([0-9a-fA-F]+)|[oO]([0-7]+)|[bB]([01]+)|([0-7]+))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Go's own reader of numbers takes underscores between digits. */
const POINT_FLOAT = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const MAX_BASED_LENGTH = 70;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;
const UINT64_MAX = 2n ** 64n - 1n;

/**
 * Gives an unquoted YAML scalar the meaning that Kubernetes gives it: that of go-yaml v2 behind sigs.k8s.io/yaml,
 * which is neither YAML 1.1 (`1:30` and dates are text) nor 1.2 (`yes`, `on`, `y` are booleans, `0644` is octal).
 */
export function resolvePlain(text: string): Scalar {
  if (text === '') return null;
  const hint = HINT[text.charCodeAt(0)] ?? 0;
  if (hint === 0) return text;
  if (text.length <= LONGEST_WORD) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  return hint === 2 ? (resolveNumber(text) ?? text) : text;
}

function resolveNumber(text: string): ExactNumber | undefined {
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  if (text.startsWith('.')) return POINT_FLOAT.test(text) ? finite(plain) : undefined;
  if (DECIMAL_INT.test(plain)) return finite(plain);
  return basedInteger(plain) ?? (FLOAT.test(plain) ? finite(plain) : undefined);
}

/** A number over the range of a double is text to Kubernetes. */
function finite(text: string): ExactNumber | undefined {
  return Number.isFinite(Number(text)) ? exactNumber(text) : undefined;
}

/** Hexadecimal, octal (`0o17` and `0644`), binary: within int64, or uint64 where there is no sign. */
function basedInteger(text: string): ExactNumber | undefined {
  if (text.length > MAX_BASED_LENGTH) return undefined;
  const match = BASED_INT.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, oldOctal] = match;
  const digits =
    hex !== undefined ? `0x${hex}` : binary !== undefined ? `0b${binary}` : `0o${octal ?? oldOctal ?? ''}`;
  const magnitude = BigInt(digits);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < INT64_MIN || value > (sign === '' ? UINT64_MAX : INT64_MAX)) return undefined;
  return exactNumber(value.toString());
}
