import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable, printableLines } from '../../../../plugin/views/printable.ts';
import { cut, pad, textWidth } from '../../../../plugin/views/width.ts';
import { wrap } from '../../../../plugin/views/wrap.ts';

describe('printable text', () => {
  it.each([
    ['plain', 'plain'],
    ['two\nlines', 'two; lines'],
    ['two  \r\n  lines\n', 'two; lines'],
    ['both:\n\n  a\n  b', 'both: a; b'],
    ['a\tb', 'a b'],
    ['\u001b[31mred\u001b[0m', '\ufffd[31mred\ufffd[0m'],
    ['title\u0007', 'title\ufffd'],
    ['abc\u202edef', 'abc\ufffddef'],
    ['Zürich 日本', 'Zürich 日本'],
  ])('%j becomes %j', (text, expected) => {
    expect(printable(text)).toBe(expected);
  });

  it('keeps lines apart where they are wanted', () => {
    expect(printableLines('a \r\n\tb\u001b\n')).toEqual(['a', '  b\ufffd', '']);
  });
});

describe('width', () => {
  it.each([
    ['abc', 3],
    ['Zürich', 6],
    ['日本', 4],
    ['u\u0308', 1],
    ['🚢', 2],
    ['', 0],
  ])('of %j is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 4, 'abc…'],
    ['ab cdef', 4, 'ab…'],
    ['日本語', 4, '日…'],
    ['abc', 0, ''],
  ])('%j is cut to %i columns as %j', (text, width, expected) => {
    expect(cut(text, width)).toBe(expected);
  });

  it('pads by columns, not by characters', () => {
    expect(pad('日', 4)).toBe('日  ');
    expect(pad('long', 2)).toBe('long');
  });
});

describe('wrapping', () => {
  it('breaks between words and indents', () => {
    expect(wrap('the quick brown fox jumps', 22, '  ')).toEqual(['  the quick brown fox', '  jumps']);
  });

  it('leaves a text whole where nobody looks', () => {
    const text = 'word '.repeat(500).trim();
    expect(wrap(text, Infinity)).toEqual([text]);
  });

  it('keeps columns within a line', () => {
    expect(wrap('tried    sha256:abc', 80, '  ')).toEqual(['  tried    sha256:abc']);
  });

  it('never makes a line longer than the terminal, nor loses a letter', () => {
    const words = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 120 }), { maxLength: 20 });
    fc.assert(
      fc.property(words, fc.integer({ min: 30, max: 120 }), (parts, width) => {
        const text = parts.join(' ');
        const lines = wrap(text, width, '    ');
        expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
