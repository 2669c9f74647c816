import type { Paint, Tone } from '../cli/paint.ts';
import { printable, printableLines } from './printable.ts';
import { pad } from './width.ts';
import { wrap } from './wrap.ts';

/** What each part of a page is written with. */
export interface Page {
  now: Date;
  /** Columns; Infinity where no terminal is: nothing is wrapped then, so that grep finds whole lines. */
  width: number;
  paint: Paint;
}

const LABEL_WIDTH = 12;
const CONTINUED = '  ';

/** Sections with a blank line between; empty ones are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** `Source      inline, 1.2 KiB`, going on under itself. */
export function field(page: Page, label: string, text: string, tone: Tone = 'plain'): string[] {
  const indent = ' '.repeat(LABEL_WIDTH);
  const lines = printableLines(text).flatMap((line) => wrap(line, page.width, indent));
  return lines.map((line, index) => {
    const own = line.slice(LABEL_WIDTH);
    const painted = tone === 'plain' ? own : page.paint(own, tone);
    return index === 0 ? `${page.paint(pad(label, LABEL_WIDTH), 'strong')}${painted}` : indent + painted;
  });
}

/** `Release shop in apps: not ready`, going on under itself: who it is about stands out, what is said has its tone. */
export function headline(page: Page, subject: string, text: string, tone: Tone = 'plain'): string[] {
  const [first = '', ...more] = wrap(printable(`${subject}${text}`), page.width - CONTINUED.length);
  const say = (part: string): string => (tone === 'plain' || part === '' ? part : page.paint(part, tone));
  const rest = more.map((line) => `${CONTINUED}${say(line)}`);
  if (!first.startsWith(subject)) return [page.paint(first, 'strong'), ...rest];
  return [page.paint(subject, 'strong') + say(first.slice(subject.length)), ...rest];
}

/** A heading over lines that are indented already; nothing where there are none. */
export function section(page: Page, heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [page.paint(heading, 'strong'), ...lines];
}

/** Text of one or several lines, wrapped, each line behind the indent. */
export function paragraph(page: Page, text: string, indent = '  '): string[] {
  return printableLines(text).flatMap((line) => wrap(line, page.width, indent));
}

/** What a person can do, under a heading. Commands are left whole, so that they can be copied. */
export function whatToDo(
  page: Page,
  ready: 'True' | 'False' | 'Unknown',
  lines: readonly string[],
): string[] {
  return section(
    page,
    ready === 'True' ? 'To know' : 'What to do',
    lines.flatMap((line) => (line.startsWith('kubectl ') ? [`${CONTINUED}${line}`] : paragraph(page, line))),
  );
}

/** `1 object`, `12 objects`. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
