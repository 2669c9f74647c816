import { printable } from '../views/printable.ts';
import { wrap } from '../views/wrap.ts';
import type { CliProblem } from './problem.ts';
import type { Paint } from './paint.ts';

const LABEL = 7;

/**
 * A problem as lines for the standard error:
 * `error: …`, then `why:` and `try:`, each with its lines below one another.
 */
export function problemLines(
  problem: CliProblem,
  { width, paint }: { width: number; paint: Paint },
): string[] {
  return [
    ...part('error:', [problem.message], (label) => paint(label, 'bad')),
    ...part('  why:', problem.why, (label) => paint(label, 'strong')),
    ...part('  try:', problem.hints, (label) => paint(label, 'strong')),
  ];

  function part(label: string, texts: readonly string[], mark: (label: string) => string): string[] {
    const indent = ' '.repeat(LABEL);
    const lines = texts.flatMap((text) => wrap(printable(text), width, indent));
    return lines.map((line, index) => (index === 0 ? `${mark(label)}${line.slice(label.length)}` : line));
  }
}
