import type { FlagSpec } from '../cli/flags.ts';
import type { Verb } from '../commands/verbs.ts';
import { joinSections } from './page.ts';
import { pad } from './width.ts';
import { wrap } from './wrap.ts';

export interface HelpOptions {
  /** A noun, a noun and a verb, a lone verb, or nothing. */
  words: readonly string[];
  verbs: readonly Verb[];
  nouns: Readonly<Record<string, { summary: string }>>;
  flags: Readonly<Record<string, FlagSpec>>;
  connectionFlags: readonly string[];
}

const PROGRAM = 'kubectl convoy';
const ABOUT =
  'Looks at Releases, at the order in which Convoy applies what is in them and what it waits for, and asks for syncs.';
/** Wider lines are hard to read. */
const MAX_WIDTH = 100;

/** The help of a verb, of a noun, or of the whole program. */
export function helpPage(options: HelpOptions, width: number): string[] {
  const room = Math.min(width, MAX_WIDTH);
  const { words, verbs } = options;
  const verb = verbs.find(({ path }) => path.join(' ') === words.join(' '));
  return verb === undefined ? overview(options, room) : verbHelp(verb, options, room);
}

function overview({ words, verbs, nouns }: HelpOptions, width: number): string[] {
  const [noun] = words;
  const own = verbs.filter(({ path }) => noun === undefined || path[0] === noun);
  const summary = noun === undefined ? ABOUT : `${nouns[noun]?.summary ?? ''}.`;
  const rows = own.map(
    ({ path, positional, words, summary: what }) =>
      [[...path, positional, words].filter((part) => part !== undefined).join(' '), what] as const,
  );
  return joinSections([
    wrap(summary, width),
    ['Usage:', `  ${[PROGRAM, ...words].join(' ')} COMMAND [flags]`],
    ['Commands:', ...twoColumns(rows, width)],
    [`Use "${[PROGRAM, ...words].join(' ')} COMMAND --help" for examples and flags.`],
  ]);
}

function verbHelp(verb: Verb, { flags, connectionFlags }: HelpOptions, width: number): string[] {
  const usage = [PROGRAM, ...verb.path, verb.positional, verb.words, '[flags]'].filter(
    (part) => part !== undefined,
  );
  const flagRows = (names: readonly string[]) =>
    names.flatMap((name) => {
      const spec = flags[name];
      if (spec === undefined) return [];
      return [[flagText(name, spec), verb.flagTexts?.[name] ?? spec.description] as const];
    });
  return joinSections([
    [`${verb.summary}.`],
    ['Usage:', `  ${usage.join(' ')}`],
    [
      'Examples:',
      ...verb.examples.flatMap(([line, what], index) => [
        ...(index === 0 ? [] : ['']),
        ...wrap(`# ${what}`, width, '  '),
        `  ${PROGRAM} ${line}`,
      ]),
    ],
    ['Flags:', ...twoColumns(flagRows([...verb.flags, 'color']), width)],
    verb.isOffline === true
      ? []
      : ['Cluster flags, as with kubectl:', ...twoColumns(flagRows(connectionFlags), width)],
  ]);
}

function flagText(name: string, { alias, value }: FlagSpec): string {
  const short = alias === undefined ? '    ' : `-${alias}, `;
  return `${short}--${name}${value === undefined ? '' : ` ${value}`}`;
}

const INDENT = '  ';

/** Names on the left, what they are on the right, going on under itself. */
function twoColumns(rows: readonly (readonly [name: string, what: string])[], width: number): string[] {
  const left = rows.reduce((widest, [name]) => Math.max(widest, name.length), 0) + INDENT.length + 3;
  return rows.flatMap(([name, what]) =>
    wrap(what, width, ' '.repeat(left)).map((line, index) =>
      index === 0 ? pad(INDENT + name, left) + line.trimStart() : line,
    ),
  );
}
