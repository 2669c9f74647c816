/** C0 and C1 controls, and what turns the direction of text: names and messages come from others. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text on one line, without anything that could move the cursor, colour the terminal or reorder the text. */
export function printable(text: string): string {
  return text
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replace(CONTROL, '\ufffd');
}

/** As printable, for text of several lines. */
export function printableLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => line.replaceAll('\t', '  ').replace(CONTROL, '\ufffd').trimEnd());
}
