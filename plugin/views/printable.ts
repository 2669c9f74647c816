/** C0 and C1 controls, and what turns the direction of text: names and messages come from others. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line, what were lines apart by semicolons, without anything that could move the cursor, colour the terminal or reorder the text. */
export function printable(text: string): string {
  return onOneLine(text).replaceAll('\t', ' ').replace(CONTROL, '\ufffd');
}

function onOneLine(text: string): string {
  const lines = text.split(/[\r\n]+/);
  if (lines.length === 1) return text;
  const parts = lines.map((line) => line.trim()).filter((line) => line !== '');
  return parts.map((part, index) => part + gapBehind(part, index === parts.length - 1)).join('');
}

function gapBehind(part: string, isLast: boolean): string {
  if (isLast) return '';
  return ':;,.'.includes(part.at(-1) ?? '') ? ' ' : '; ';
}

/** As printable, for text of several lines. */
export function printableLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replaceAll('\t', '  ').replace(CONTROL, '\ufffd').trimEnd());
}
