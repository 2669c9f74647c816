import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';
import { wrap } from '../../plugin/views/wrap.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const TITLE_WIDTH = 33;
const STEP_INDENT = 4;

/** Tells what a step is doing right now. */
export type Note = (text: string) => void;

/**
 * Output that one can watch: lines that stay, and below them a few lines that are drawn again in place. Where the output
 * is no terminal, only the lines that stay are written.
 */
export class Screen {
  readonly isLive: boolean;
  readonly #out: NodeJS.WriteStream;
  readonly #now: () => number;
  readonly #startedAt: number;
  #drawn = 0;
  #live: readonly string[] = [];

  /** @param now milliseconds of any steady clock */
  constructor(out: NodeJS.WriteStream, now: () => number) {
    this.#out = out;
    this.#now = now;
    this.#startedAt = now();
    this.isLive = out.isTTY && process.env['TERM'] !== 'dumb';
    if (this.isLive) out.write('\x1b[?25l');
  }

  /** Milliseconds since the beginning. */
  get elapsedMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** The same, such as `4.2 s` or `6 min 20 s`. */
  get elapsed(): string {
    return durationText(this.elapsedMs);
  }

  /** Writes a line that stays. */
  line(text = ''): void {
    this.#erase();
    this.#out.write(`${text}\n`);
    this.#draw();
  }

  /**
   * Writes a title that stays and what there is to say about it: behind it where there is room, else below it.
   * @param indent of the lines below
   */
  entry(title: string, detail: string, indent: number): void {
    const line = detail === '' ? title : `${title}  ${colors.dim(detail)}`;
    if (!this.isLive || widthOf(line) <= this.#out.columns) {
      this.line(line);
      return;
    }
    this.line(title.trimEnd());
    for (const below of wrap(detail, this.#out.columns, ' '.repeat(indent))) this.line(colors.dim(below));
  }

  /** Replaces the lines below those that stay. */
  live(lines: readonly string[]): void {
    if (!this.isLive) return;
    this.#erase();
    this.#live = lines;
    this.#draw();
  }

  /**
   * Shows a step while it runs and how long it took.
   * @param work gives the detail that is shown behind the title when the step is done
   */
  async step(title: string, work: (note: Note) => Promise<string>): Promise<void> {
    const startedAt = this.#now();
    let current = '';
    const note: Note = (text) => {
      if (!this.isLive && text !== current) this.line(colors.dim(`  · ${title}: ${text}`));
      current = text;
    };
    const spin = (): void => {
      const passed = this.#now() - startedAt;
      const frame = SPINNER[Math.floor(passed / FRAME_MS) % SPINNER.length] ?? '';
      this.live([`  ${colors.cyan(frame)} ${row(title, current, durationText(passed))}`]);
    };
    const timer = this.isLive ? setInterval(spin, FRAME_MS) : undefined;
    try {
      const detail = await work(note);
      this.live([]);
      this.#stepEntry(colors.green('✔'), title, startedAt, detail);
    } catch (error) {
      this.live([]);
      this.#stepEntry(colors.red('✖'), title, startedAt);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  /** Leaves the terminal as it was. */
  close(): void {
    this.live([]);
    if (this.isLive) this.#out.write('\x1b[?25h');
  }

  #stepEntry(mark: string, title: string, startedAt: number, detail = ''): void {
    const time = durationText(this.#now() - startedAt);
    this.entry(`  ${mark} ${row(title, '', time)}`, detail, STEP_INDENT);
  }

  #erase(): void {
    if (this.#drawn > 0) this.#out.write(`\x1b[${this.#drawn}A\x1b[0J`);
    this.#drawn = 0;
  }

  #draw(): void {
    if (this.#live.length === 0) return;
    const lines = this.#live.slice(0, this.#out.rows - 1).map((line) => cut(line, this.#out.columns - 1));
    this.#out.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawn = lines.length;
  }
}

function durationText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function row(title: string, detail: string, time: string): string {
  const text = `${title.padEnd(TITLE_WIDTH)} ${colors.dim(time.padStart(11))}`;
  return detail === '' ? text : `${text}  ${colors.dim(detail)}`;
}

function widthOf(line: string): number {
  return stripVTControlCharacters(line).length;
}

/** A line that wraps would make the lines to erase more than were drawn; one that is too long loses its colours. */
function cut(line: string, width: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= width ? line : `${plain.slice(0, width - 1)}…`;
}
