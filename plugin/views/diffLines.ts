import type { Tone } from '../cli/paint.ts';
import type { Pair } from '../diff/mask.ts';
import { type DiffLine, unifiedDiff } from '../diff/unified.ts';
import type { Page } from './page.ts';
import { printable } from './printable.ts';

const TONES: Readonly<Record<DiffLine['sign'], Tone>> = {
  '-': 'bad',
  '+': 'good',
  '@': 'dim',
  ' ': 'plain',
};

/** A unified diff under the names of its two sides; nothing where they read the same. */
export function diffLines(
  pair: Pair,
  names: { before: string; after: string },
  { paint }: Pick<Page, 'paint'>,
): string[] {
  if (pair.before === undefined && pair.after === undefined) return [];
  const lines = unifiedDiff(pair).map(({ sign, text }) => {
    const line = printable(sign === '@' ? text : `${sign}${text}`);
    const tone = TONES[sign];
    return tone === 'plain' ? line : paint(line, tone);
  });
  if (lines.length === 0) return [];
  return [paint(`--- ${names.before}`, 'dim'), paint(`+++ ${names.after}`, 'dim'), ...lines];
}
