import { printable } from './printable.ts';

/** What each line is about, and what it says now. */
export type Told = ReadonlyMap<string, string>;

/** Turns states into a line for each change, for those who do not read on a terminal. */
export class ChangeLines {
  #told: Told = new Map();

  /** The lines that say something else than they did, each with its time; what is not there any more is gone. */
  changed(now: Told, at: Date): string {
    const before = this.#told;
    this.#told = now;
    const time = at.toISOString().replace(/\.\d+Z$/, 'Z');
    const lines = [...now].filter(([about, text]) => before.get(about) !== text);
    const gone = [...before.keys()]
      .filter((about) => !now.has(about))
      .map((about) => [about, 'gone'] as const);
    return [...lines, ...gone].map(([about, text]) => `${time} ${printable(`${about}: ${text}`)}\n`).join('');
  }
}
