import parser from 'yargs-parser';
import { closest } from '../../api/closest.ts';
import { NOUNS, type Verb, VERBS } from '../commands/verbs.ts';
import { CONNECTION_FLAGS, type FlagName, FLAGS, type FlagSpec } from './flags.ts';
import { type CliProblem, usageProblem } from './problem.ts';

/** A verb that is to be run, or the words (of a verb, a noun, or none) whose help is asked for. */
export type Found = Call | { help: readonly string[] };

export interface Call {
  verb: Verb;
  /** The NAME behind the verb. */
  name: string | undefined;
  /** What stands behind the NAME. */
  words: readonly string[];
  /** Flags by their long names. */
  parsed: Readonly<Record<string, unknown>>;
}

/**
 * Understands a command line. yargs' parser alone does it: the whole of yargs takes 20 ms more to load, and lays out a
 * help text on every call.
 * @param args what stands behind `kubectl convoy`
 * @throws CliProblem of exit code 2 that says what to write instead
 */
export function commandLine(args: readonly string[]): Found {
  const { argv, error } = parser.detailed(withValuesApart(args), OPTIONS);
  const words = argv._.map(String);
  const wantsHelp = argv['help'] === true || words[0] === 'help';
  const { path, verb, rest } = resolve(words[0] === 'help' ? words.slice(1) : words);
  if (wantsHelp) return { help: path };
  if (error instanceof Error) throw misread(valueMissing(error), path);
  refuseUnknownFlags(args, argv, path);
  if (verb === undefined) {
    if (rest[0] === undefined) return { help: path };
    throw misread(`there is no command ${[...path, rest[0]].join(' ')}`, path, meant(rest[0], path));
  }
  refuseForeignFlags(argv, verb);
  return { verb, ...positionals(verb, rest), parsed: argv };
}

const NAMES = Object.keys(FLAGS) as FlagName[];
const ALL: readonly (readonly [FlagName, FlagSpec])[] = NAMES.map((name) => [name, FLAGS[name]]);
const ofType = (type: FlagSpec['type']): string[] =>
  ALL.filter(([, spec]) => spec.type === type).map(([name]) => name);

const OPTIONS: parser.Options = {
  string: [...ofType('string'), '_'],
  boolean: [...ofType('boolean'), 'help'],
  alias: {
    help: ['h'],
    ...Object.fromEntries(ALL.flatMap(([name, { alias }]) => (alias ? [[name, [alias]]] : []))),
  },
  narg: Object.fromEntries(ofType('string').map((name) => [name, 1])),
  configuration: {
    'boolean-negation': false, // --no-headers is a name of its own
    'camel-case-expansion': false,
    'dot-notation': false,
    'greedy-arrays': false,
    'parse-numbers': false,
    'parse-positional-numbers': false,
    'strip-aliased': true,
  },
};

const WITH_VALUE = new Map(
  ALL.flatMap(([, { alias, type }]) => (alias ? [[alias, type === 'string'] as const] : [])),
);

/** `-ojson` and `-Aojson` as `-o json` and `-A -o json`: kubectl takes them, yargs' parser does not. */
function withValuesApart(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return [...own.flatMap(expandShort), ...args.slice(own.length)];
}

function expandShort(arg: string): string[] {
  if (!/^-[A-Za-z]./.test(arg)) return [arg];
  const flags: string[] = [];
  for (let at = 1; at < arg.length; at++) {
    const letter = arg.charAt(at);
    flags.push(`-${letter}`);
    if (WITH_VALUE.get(letter) !== true) continue;
    const value = arg.slice(at + 1).replace(/^=/, '');
    return value === '' ? flags : [...flags, value];
  }
  return flags;
}

interface Resolved {
  /** Proper names, as `verbs.ts` has them. */
  path: string[];
  verb: Verb | undefined;
  rest: string[];
}

/** The longest beginning of the words that is a noun, a noun and a verb, or a lone verb. */
function resolve(words: readonly string[]): Resolved {
  const [first = '', second] = words;
  const lone = VERBS.find(({ path }) => path.length === 1 && path[0] === first);
  if (lone !== undefined) return { path: [...lone.path], verb: lone, rest: words.slice(1) };
  const noun = Object.entries(NOUNS).find(
    ([name, { aliases }]) => name === first || aliases.includes(first),
  )?.[0];
  if (noun === undefined) return { path: [], verb: undefined, rest: [...words] };
  const verb = VERBS.find(({ path }) => path[0] === noun && path[1] === second);
  return verb === undefined
    ? { path: [noun], verb, rest: words.slice(1) }
    : { path: [...verb.path], verb, rest: words.slice(2) };
}

function positionals(
  { path, positional, words }: Verb,
  rest: readonly string[],
): Pick<Call, 'name' | 'words'> {
  const name = positional === undefined ? undefined : rest[0];
  const more = positional === undefined ? rest : rest.slice(1);
  if (more.length > 0 && words === undefined)
    throw misread(`${path.join(' ')} does not take ${JSON.stringify(more[0])}`, path);
  if (positional === '<NAME>' && name === undefined) throw misread(`${path.join(' ')} needs a NAME`, path);
  return { name, words: more };
}

/** yargs-parser takes what it does not know too. */
function refuseUnknownFlags(
  args: readonly string[],
  argv: Record<string, unknown>,
  path: readonly string[],
): void {
  const known = new Set<string>([...NAMES, 'help', '_', '--']);
  const unknown = Object.keys(argv).find((key) => !known.has(key));
  if (unknown === undefined) return;
  const written = unknown.length === 1 && !args.includes(`--${unknown}`) ? `-${unknown}` : `--${unknown}`;
  const near = closest(unknown, NAMES);
  throw misread(`there is no flag ${written}`, path, near === undefined ? undefined : `--${near}`);
}

function refuseForeignFlags(argv: Record<string, unknown>, { path, flags }: Verb): void {
  const own = new Set<FlagName>([...flags, 'color', ...CONNECTION_FLAGS]);
  const foreign = NAMES.find((name) => argv[name] !== undefined && !own.has(name));
  if (foreign !== undefined) throw misread(`${path.join(' ')} does not take --${foreign}`, path);
}

/** What a misspelt word may have meant, behind the words before it. */
function meant(word: string, path: readonly string[]): string | undefined {
  const candidates =
    path.length === 0 ? [...Object.keys(NOUNS), ...VERBS.map((verb) => verb.path[0])] : verbsOf(path[0]);
  const near = closest(word, candidates);
  if (near !== undefined) return ['kubectl convoy', ...path, near].join(' ');
  return path.length === 0 ? verbWithoutNoun(word) : undefined;
}

/** `status` for `release status`. */
function verbWithoutNoun(word: string): string | undefined {
  const near = closest(word, Object.keys(NOUNS).flatMap(verbsOf));
  const verb = VERBS.find(({ path }) => near !== undefined && path[1] === near);
  return verb === undefined ? undefined : ['kubectl convoy', ...verb.path].join(' ');
}

function verbsOf(noun: string | undefined): string[] {
  return VERBS.flatMap(({ path }) => (path[0] === noun && path[1] !== undefined ? [path[1]] : []));
}

/** `Not enough arguments following: n` in words of ours. */
function valueMissing({ message }: Error): string {
  const flag = /following: (\S+)/.exec(message)?.[1];
  return flag === undefined ? message : `${flag.length === 1 ? '-' : '--'}${flag} needs a value`;
}

function misread(what: string, path: readonly string[], instead?: string): CliProblem {
  return usageProblem(what, instead ?? ['kubectl convoy', ...path, '--help'].join(' '));
}
