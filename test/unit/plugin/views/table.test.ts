import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Paint } from '../../../../plugin/cli/paint.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { type Column, table } from '../../../../plugin/views/table.ts';
import { textWidth } from '../../../../plugin/views/width.ts';

interface Row {
  name: string;
  note: string;
  message: string;
}

const COLUMNS: Column<Row>[] = [
  { header: 'NAME', cell: ({ name }) => name },
  { header: 'NOTE', cell: ({ note }) => ({ text: note, tone: 'bad' }), dropAt: 1 },
  { header: 'MESSAGE', cell: ({ message }) => message, shrinkTo: 10, dropAt: 2 },
];
const ROWS: Row[] = [
  { name: 'a', note: 'x', message: 'all is well' },
  { name: 'longer', note: '', message: 'a message that takes some room' },
];

describe('a table', () => {
  it('is as wide as its cells, without spaces at the end', () => {
    expect(table(COLUMNS, ROWS, { paint: plain })).toEqual([
      'NAME     NOTE   MESSAGE',
      'a        x      all is well',
      'longer          a message that takes some room',
    ]);
  });

  it.each([
    [
      40,
      ['NAME     NOTE   MESSAGE', 'a        x      all is well', 'longer          a message that takes so…'],
    ],
    [24, ['NAME     MESSAGE', 'a        all is well', 'longer   a message that…']],
    [18, ['NAME', 'a', 'longer']],
    [5, ['NAME', 'a', 'long…']],
  ])('on %i columns shrinks, then leaves out, then cuts', (width, lines) => {
    expect(table(COLUMNS, ROWS, { paint: plain, width })).toEqual(lines);
  });

  it('leaves out the headings where they are not wanted', () => {
    expect(table(COLUMNS, ROWS.slice(0, 1), { paint: plain, headers: false })).toEqual([
      'a   x   all is well',
    ]);
  });

  it('lines up what is coloured with what is not', () => {
    const marked: Paint = (text, tone) => `<${tone}>${text}</>`;
    expect(table(COLUMNS, ROWS.slice(0, 1), { paint: marked })[1]).toBe('a      <bad>x</>      all is well');
  });

  it('keeps a hostile cell on its line', () => {
    const rows = [{ name: 'a\nb', note: '\u001b[2J', message: '' }];
    expect(table(COLUMNS, rows, { paint: plain, headers: false })).toEqual(['a; b   \ufffd[2J']);
  });

  it('never has a line longer than the terminal', () => {
    const row = fc.record({ name: fc.string({ minLength: 1 }), note: fc.string(), message: fc.string() });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 10, max: 100 }), (rows, width) => {
        const lines = table(COLUMNS, rows, { paint: plain, width });
        expect(lines).toHaveLength(rows.length + 1);
        expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
