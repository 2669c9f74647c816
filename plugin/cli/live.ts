import type { Io } from './io.ts';

/** Without wrapping, a line that is too long is cut where the terminal ends, and what is drawn stays countable. */
const BEGIN = '\x1b[?25l\x1b[?7l';
const END = '\x1b[?7h\x1b[?25h';
/** Before the text: after a text as long as the line it would erase the last character. */
const CLEAR_LINE = '\x1b[2K';
const BELOW = '\x1b[J';

/** Lines that are drawn again in place on a terminal; elsewhere nothing is drawn, and callers print lines instead. */
export class Live {
  readonly isLive: boolean;
  readonly #io: Pick<Io, 'stdout'>;
  #drawn = 0;
  #hasBegun = false;

  constructor(io: Pick<Io, 'stdout' | 'env'>) {
    this.#io = io;
    this.isLive = io.stdout.isTTY && io.env['TERM'] !== 'dumb';
  }

  /** Replaces what was drawn last; as many lines as the terminal is high, the last one says that there is more. */
  draw(lines: readonly string[]): void {
    if (!this.isLive) return;
    const shown = fitting(lines, this.#io.stdout.rows ?? Infinity);
    const start = this.#hasBegun ? '' : BEGIN;
    this.#hasBegun = true;
    const frame = shown.map((line) => `${CLEAR_LINE}${line}\n`).join('');
    // In one write, so that nobody sees it half drawn.
    this.#io.stdout.write(`${start}${this.#home()}${frame}${BELOW}`);
    this.#drawn = shown.length;
  }

  /** Leaves what was drawn, and the terminal as it was. */
  end(): void {
    if (this.#hasBegun) this.#io.stdout.write(END);
    this.#hasBegun = false;
    this.#drawn = 0;
  }

  #home(): string {
    return this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A\r`;
  }
}

/** A terminal scrolls when its last row is written: that one stays free. */
function fitting(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return lines;
  return [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines`];
}
