import type { KubeObject } from '../../api/object.ts';
import type { Paint, Tone } from '../cli/paint.ts';
import { printable } from './printable.ts';
import { cut, textWidth } from './width.ts';

export interface Cell {
  text: string;
  tone?: Tone;
}

export interface Column<T> {
  header: string;
  cell: (item: T) => Cell | string;
  /** May be cut to as many columns as this, where the lines are too long. */
  shrinkTo?: number;
  /** Where that is not enough: columns are left out, the lowest number first. */
  dropAt?: number;
}

export interface TableOptions {
  paint: Paint;
  headers?: boolean;
  /** Columns of the terminal; Infinity where nobody looks. */
  width?: number;
  indent?: string;
}

/** Options of the table of a verb `get`. */
export interface ListTableOptions {
  now: Date;
  wide: boolean;
  /** Whether the objects are of several namespaces. */
  allNamespaces: boolean;
  headers: boolean;
  width: number;
  paint: Paint;
}

/** The table of a verb `get`. */
export type ListTable<T> = (items: readonly T[], options: ListTableOptions) => string[];

/** The first column where objects are of several namespaces. */
export const NAMESPACE: Column<KubeObject> = {
  header: 'NAMESPACE',
  cell: ({ metadata }) => metadata.namespace ?? '',
};

const GAP = 3;

/** Rows in columns as wide as their widest cell, as kubectl has them; on a terminal, no line is longer than it is wide. */
export function table<T>(
  columns: readonly Column<T>[],
  items: readonly T[],
  options: TableOptions,
): string[] {
  const { paint, headers = true, width = Infinity, indent = '' } = options;
  const all = columns.map((column) => layOut(column, items, headers));
  const fitted = fit(all, width - indent.length);
  const lines = items.map((_, row) => indent + line(fitted, (column) => column.cells[row], paint));
  if (!headers) return lines;
  return [indent + line(fitted, ({ header }) => ({ text: header, tone: 'dim' }), paint), ...lines];
}

interface Laid {
  header: string;
  cells: Cell[];
  width: number;
  shrinkTo: number | undefined;
  dropAt: number | undefined;
}

function layOut<T>(
  { header, cell, shrinkTo, dropAt }: Column<T>,
  items: readonly T[],
  headers: boolean,
): Laid {
  const cells = items.map((item) => {
    const found = cell(item);
    return typeof found === 'string' ? { text: printable(found) } : { ...found, text: printable(found.text) };
  });
  // Not by spreading into Math.max: a list of a hundred thousand rows would overflow the stack.
  const width = cells.reduce(
    (widest, { text }) => Math.max(widest, textWidth(text)),
    headers ? header.length : 0,
  );
  return { header, cells, width, shrinkTo, dropAt };
}

function fit(columns: Laid[], width: number): Laid[] {
  const excess = total(columns) - width;
  if (excess <= 0) return columns;
  const shrunk = shrink(columns, excess);
  if (total(shrunk) <= width) return shrunk;
  const next = columns.filter(({ dropAt }) => dropAt !== undefined).sort(byDrop)[0];
  if (next !== undefined)
    return fit(
      columns.filter((column) => column !== next),
      width,
    );
  return cutLast(shrunk, width);
}

function shrink(columns: Laid[], excess: number): Laid[] {
  let left = excess;
  return columns.map((column) => {
    const give = Math.max(
      0,
      Math.min(left, column.width - Math.max(column.shrinkTo ?? column.width, column.header.length)),
    );
    left -= give;
    return { ...column, width: column.width - give };
  });
}

/** Nothing may go and it is still too long: the line is cut where the terminal ends. */
function cutLast(columns: Laid[], width: number): Laid[] {
  let room = width;
  return columns.flatMap((column) => {
    if (room <= 0) return [];
    const taken = Math.min(column.width, room);
    room -= taken + GAP;
    return [{ ...column, width: taken }];
  });
}

function byDrop(a: Laid, b: Laid): number {
  return (a.dropAt ?? 0) - (b.dropAt ?? 0);
}

function total(columns: readonly Laid[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP * (columns.length - 1));
}

function line(columns: readonly Laid[], cellOf: (column: Laid) => Cell | undefined, paint: Paint): string {
  const last = columns.length - 1;
  return columns
    .map((column, index) => {
      const { text, tone = 'plain' } = cellOf(column) ?? { text: '' };
      const fitting = cut(text, column.width);
      const spaces = index === last ? '' : ' '.repeat(column.width - textWidth(fitting) + GAP);
      return (tone === 'plain' || fitting === '' ? fitting : paint(fitting, tone)) + spaces;
    })
    .join('')
    .trimEnd();
}
