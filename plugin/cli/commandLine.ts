import yargs, { type Argv, type Options } from 'yargs';
import { NOUNS, type Verb, VERBS } from '../commands/verbs.ts';
import { helpPage } from '../views/helpPage.ts';
import { CONNECTION_FLAGS, type FlagName, FLAGS, type FlagSpec } from './flags.ts';
import { usageProblem } from './problem.ts';

/** A verb that is to be run, or the words whose help is asked for. */
export type Found = { verb: Verb; parsed: Record<string, unknown> } | { help: readonly string[] };

/**
 * Understands a command line.
 * @param args what stands behind `kubectl convoy`
 * @throws CliProblem of exit code 2 that says what to write instead
 */
export async function commandLine(args: readonly string[]): Promise<Found> {
  const words = commandWords(args);
  if (asksForHelp(args)) return { help: words };
  let found: Found = { help: words };
  const parser = parserOf(args, words, (verb, parsed) => {
    found = { verb, parsed };
  });
  await parser.parseAsync();
  return found;
}

/** What `--help` prints for these words: of a verb, of a noun, or of the program. */
export function helpLines(words: readonly string[], width: number): string[] {
  return helpPage(
    { words, verbs: VERBS, nouns: NOUNS, flags: FLAGS, connectionFlags: CONNECTION_FLAGS },
    width,
  );
}

type OnVerb = (verb: Verb, parsed: Record<string, unknown>) => void;

function parserOf(args: readonly string[], words: readonly string[], onVerb: OnVerb): Argv {
  const parser = yargs([...args])
    .scriptName('kubectl convoy')
    .help(false)
    .version(false)
    .locale('en')
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false, // --no-headers is a name of its own
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .strict()
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? misread(message ?? '', words);
    });
  for (const [noun, { aliases, summary }] of Object.entries(NOUNS)) {
    const verbs = VERBS.filter(({ path }) => path.length === 2 && path[0] === noun);
    const addVerbs = (inner: Argv): Argv =>
      verbs.reduce((outer, verb) => addVerb(outer, verb, onVerb), inner);
    parser.command([noun, ...aliases], summary, addVerbs, () => undefined);
  }
  return VERBS.filter(({ path }) => path.length === 1).reduce(
    (outer, verb) => addVerb(outer, verb, onVerb),
    parser,
  );
}

function addVerb(parser: Argv, verb: Verb, onVerb: OnVerb): Argv {
  const usage = [verb.path.at(-1), verb.positional].filter((part) => part !== undefined).join(' ');
  const names: FlagName[] = [...verb.flags, 'color', ...CONNECTION_FLAGS];
  const options = Object.fromEntries(names.map((name) => [name, optionOf(FLAGS[name])]));
  return parser.command(usage, verb.summary, options, (parsed) => onVerb(verb, parsed));
}

function optionOf({ alias, type, array }: FlagSpec): Options {
  return {
    type,
    ...(alias === undefined ? {} : { alias }),
    ...(array === true ? { array } : {}),
    ...(type === 'string' ? { requiresArg: true } : {}),
  };
}

/** Noun and verb as they stand in the command line, aliases by their proper name. */
function commandWords(args: readonly string[]): string[] {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  const noun = Object.keys(NOUNS).find((name) =>
    [name, ...(NOUNS[name]?.aliases ?? [])].some((one) => plain[0] === one),
  );
  const verb = VERBS.find(({ path }) =>
    path.length === 1 ? path[0] === plain[0] : path[0] === noun && plain[1] === path[1],
  );
  return verb === undefined ? (noun === undefined ? [] : [noun]) : [...verb.path];
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  return own[0] === 'help' || own.includes('--help') || own.includes('-h');
}

function misread(message: string, words: readonly string[]) {
  const text = message
    .replace(/^Not enough non-option arguments:.*$/, 'a name is missing')
    .replace(/\n+/g, ': ');
  const command = ['kubectl convoy', ...words, '--help'].join(' ');
  return usageProblem(text, command);
}
