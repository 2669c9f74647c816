/** A text that is not what it should be, at an offset of that text. */
export class SyntaxProblem extends Error {
  readonly offset: number;
  readonly remedy: string;

  constructor(offset: number, what: string, remedy: string) {
    super(what);
    this.name = 'SyntaxProblem';
    this.offset = offset;
    this.remedy = remedy;
  }
}

/** Assigned to an object it would change its prototype instead of adding a field. */
export const FORBIDDEN_KEY = '__proto__';

/**
 * @param taken the map has this key already
 * @throws SyntaxProblem where it is taken, or where no plain object can hold it safely
 */
export function checkKey(taken: boolean, key: string, offset: number): void {
  if (key === FORBIDDEN_KEY)
    throw new SyntaxProblem(offset, `the key ${FORBIDDEN_KEY} is not allowed`, 'rename it');
  if (taken) {
    throw new SyntaxProblem(offset, `the key ${quote(key)} stands twice in one map`, 'remove one of the two');
  }
}

const SHOWN = 60;

/** A piece of the source as it may stand in a message: short, on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
}

/** @returns how many line ends lie in text between the two offsets */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
