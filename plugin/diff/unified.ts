import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import type { Pair } from './mask.ts';

/** Lines around each change. */
const CONTEXT = 3;
/** Changed lines beyond which two texts have nothing in common that is worth looking for. */
const MAX_EDITS = 1000;

/** A line of a unified diff without its sign. */
export interface DiffLine {
  sign: '-' | '+' | ' ' | '@';
  text: string;
}

/** The YAML of an object as it is against that of what it would be, line by line; nothing where they read the same. */
export function unifiedDiff({ before, after }: Pair): DiffLine[] {
  const [was, would] = [yamlOf(before), yamlOf(after)];
  const patch = structuredPatch('', '', was, would, '', '', { context: CONTEXT, maxEditLength: MAX_EDITS });
  if (patch === undefined) return [...whole('-', was), ...whole('+', would)];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    { sign: '@' as const, text: `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@` },
    ...lines.filter((line) => !line.startsWith('\\')).map(signed),
  ]);
}

/** Of no lines, the line before them is told. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function signed(line: string): DiffLine {
  const sign = line.charAt(0);
  return { sign: sign === '-' || sign === '+' ? sign : ' ', text: line.slice(1) };
}

function whole(sign: '-' | '+', text: string): DiffLine[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => ({ sign, text: line }));
}

/** As kubectl writes it; fields in one order, whoever wrote the object. */
function yamlOf(value: unknown): string {
  if (value === undefined) return '';
  return stringify(value, {
    version: '1.1',
    lineWidth: 0,
    blockQuote: 'literal',
    sortMapEntries: true,
    aliasDuplicateObjects: false,
  });
}
