/** Code points that take two columns: East Asian wide and full-width ranges, emoji (Unicode TR 11, coarsely). */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];
const NO_WIDTH = /[\u0300-\u036f\u200b-\u200f\ufe00-\ufe0f]/;
const ASCII = /^[\x20-\x7e]*$/;

/** How many columns of a terminal a text takes that `printable` has gone over. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text in at most `width` columns; what is cut off is told by `…`. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let taken = 1;
  for (const character of text) {
    taken += characterWidth(character);
    if (taken > width) break;
    kept += character;
  }
  return width > 0 ? `${kept.trimEnd()}…` : '';
}

/** The text with spaces up to `width` columns. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
