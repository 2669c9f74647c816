import { MAX_HEALTH_MESSAGE } from '../../api/limits.ts';

const ELLIPSIS = '…';

/**
 * Makes one line of a text from anywhere: control characters (a terminal would obey them) and runs of blanks become one
 * space, and what is over MAX_HEALTH_MESSAGE bytes of UTF-8 is cut between two characters.
 */
export function oneLine(text: string): string {
  // A character has at least one byte, so the rest of a huge text need not be looked at.
  const start = text.slice(0, 4 * MAX_HEALTH_MESSAGE).toWellFormed();
  const line = start.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  if (Buffer.byteLength(line) <= MAX_HEALTH_MESSAGE) return line;
  let room = MAX_HEALTH_MESSAGE - Buffer.byteLength(ELLIPSIS);
  let kept = '';
  for (const character of line) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}

/** `1 pod`, `2 pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `2 of 3 replicas are available`, `1 of 3 replicas is available`. */
export function share(part: number, whole: number, noun: string, is: string): string {
  return `${part} of ${counted(whole, noun)} ${part === 1 || whole === 1 ? 'is' : 'are'} ${is}`;
}

/** The parts that say something, as `a: b: c`. */
export function phrases(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(': ');
}
