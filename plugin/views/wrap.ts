import { cut, textWidth } from './width.ts';

/**
 * Breaks a text between words into lines of at most `width` columns, each behind `indent`; a word that is longer than a
 * line (a digest, a path) is left whole in an unlimited width, and cut into pieces otherwise.
 */
export function wrap(text: string, width: number, indent = ''): string[] {
  const room = Math.max(20, width - indent.length);
  const lines: string[] = [];
  let line: string | undefined;
  // Runs of spaces stay as they are written, but for those at the end of a line.
  for (const word of text.split(' ').flatMap((one) => pieces(one, room))) {
    if (line !== undefined && textWidth(line) + 1 + textWidth(word) > room) {
      lines.push(line.trimEnd());
      line = word;
    } else {
      line = line === undefined ? word : `${line} ${word}`;
    }
  }
  lines.push((line ?? '').trimEnd());
  return lines.map((one) => (one === '' ? '' : indent + one));
}

function pieces(word: string, room: number): string[] {
  const found: string[] = [];
  let rest = word;
  while (textWidth(rest) > room) {
    const head = cut(rest, room).slice(0, -1);
    if (head === '') break;
    found.push(head);
    rest = rest.slice(head.length);
  }
  return [...found, rest];
}
