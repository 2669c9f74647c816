import { RE2JS } from '@bufbuild/re2';
import { LRUCache } from 'lru-cache';

/** A regular expression that was read. */
interface Pattern {
  test: (text: string) => boolean;
  /** Instructions of its program: the steps that one character may take. */
  size: number;
}

const MAX_LENGTH = 256;
/** Of all counts in braces multiplied: `(a{10}){20}` is two hundred times `a`. */
const MAX_REPEATS = 200;
const COUNTS = /\{(\d+)(?:,(\d*))?\}/g;
const KEPT = 500;
const known = new LRUCache<string, Pattern>({ max: KEPT });

/**
 * Reads a regular expression (RE2, which no text can make slow). What is large is refused before it is read.
 * @throws Error where it is none, or too large
 */
export function readPattern(text: string): Pattern {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  refuseLarge(text);
  const compiled = RE2JS.compile(text);
  const pattern = { test: (input: string) => compiled.test(input), size: compiled.re2().prog.inst.length };
  known.set(text, pattern);
  return pattern;
}

function refuseLarge(text: string): void {
  if (text.length > MAX_LENGTH)
    throw new Error(`the regular expression has ${text.length} characters; at most ${MAX_LENGTH}`);
  const repeats = [...text.matchAll(COUNTS)]
    .map(([, least, most]) => Number(most === undefined || most === '' ? least : most))
    .reduce((product, count) => product * Math.max(1, count), 1);
  if (repeats > MAX_REPEATS)
    throw new Error(`the counts of the regular expression multiply to ${repeats}; at most ${MAX_REPEATS}`);
}
