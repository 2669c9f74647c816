import { RESOURCES } from '../../api/group.ts';
import { KubeError } from '../../kube/errors.ts';
import { NOUNS, type Verb, VERBS } from '../commands/verbs.ts';
import { commandLine } from './commandLine.ts';
import { CONNECTION_FLAGS, type FlagName, FLAGS, type FlagSpec, readFlags } from './flags.ts';
import type { Io } from './io.ts';
import { CliProblem } from './problem.ts';

/** Longer than this nobody waits for a TAB (ms). */
const PATIENCE_MS = 3000;
/** What a shell is to do with the words: nothing but offer them (cobra's ShellCompDirectiveNoFileComp). */
const NO_FILES = ':4';
/** Offer files (ShellCompDirectiveDefault). */
const FILES = ':0';
const FILE_FLAGS: readonly string[] = ['filename', 'rules', 'kubeconfig'];

/**
 * What kubectl's completion asks `kubectl_complete-convoy` for: the words that may stand at the end of a command line, in the
 * form of cobra's `__complete`. Names come from the cluster; where it cannot be asked there are none, and nothing is said of
 * it, since it would stand in the middle of what is being typed.
 * @param args what is typed behind `kubectl convoy`; the last one, maybe empty, is the word to complete
 */
export async function complete(args: readonly string[], io: Io): Promise<number> {
  const word = args.at(-1) ?? '';
  const before = args.slice(0, -1);
  const { words, directive } = await wordsFor(before, word, io);
  const fitting = words.filter((one) => one.startsWith(word));
  io.stdout.write([...fitting, directive].map((line) => `${line}\n`).join(''));
  return 0;
}

interface Offer {
  words: readonly string[];
  directive: string;
}

const offer = (words: readonly string[]): Offer => ({ words, directive: NO_FILES });

async function wordsFor(before: readonly string[], word: string, io: Io): Promise<Offer> {
  const open = openFlag(before.at(-1));
  if (open !== undefined) return valuesOf(open);
  const typed = before.filter(
    (one, index) => !one.startsWith('-') && openFlag(before[index - 1]) === undefined,
  );
  const verb = verbOf(typed);
  if (word.startsWith('-')) return offer(flagsOf(verb));
  if (verb === undefined) return offer(typed.length === 0 ? firstWords() : verbsOf(typed[0] ?? ''));
  const call = callOf(before);
  if (verb.positional === undefined || call.name !== undefined) return offer([]);
  return offer(await namesFor(verb, call, io));
}

function firstWords(): string[] {
  return [...Object.keys(NOUNS), ...VERBS.flatMap(({ path }) => (path.length === 1 ? [path[0]] : []))];
}

function nounOf(word: string): string | undefined {
  return Object.entries(NOUNS).find(([noun, { aliases }]) => noun === word || aliases.includes(word))?.[0];
}

function verbsOf(word: string): string[] {
  const noun = nounOf(word);
  return VERBS.flatMap(({ path }) => (path[0] === noun && path[1] !== undefined ? [path[1]] : []));
}

function verbOf([first = '', second]: readonly string[]): Verb | undefined {
  return VERBS.find(({ path }) =>
    path.length === 1 ? path[0] === first : path[0] === nounOf(first) && path[1] === second,
  );
}

function flagsOf(verb: Verb | undefined): string[] {
  const own: readonly FlagName[] = [...(verb?.flags ?? []), 'color', ...CONNECTION_FLAGS];
  return ['--help', ...own.map((name) => `--${name}`)];
}

/** The flag whose value is to come next. */
function openFlag(last: string | undefined): FlagName | undefined {
  const found = Object.entries<FlagSpec>(FLAGS).find(
    ([name, { alias, type }]) => type === 'string' && (last === `--${name}` || last === `-${alias ?? ''}`),
  );
  return found?.[0] as FlagName | undefined;
}

function valuesOf(flag: FlagName): Offer {
  if (FILE_FLAGS.includes(flag)) return { words: [], directive: FILES };
  const spec: FlagSpec = FLAGS[flag];
  return offer(spec.choices ?? []);
}

/** How the cluster is reached, and the NAME where it is there; what is typed may not be a whole command yet. */
function callOf(args: readonly string[]): Typed {
  return parsed(args) ?? { ...parsed([...args, 'name']), name: undefined };
}

interface Typed {
  name?: string | undefined;
  flags?: Readonly<Record<string, unknown>>;
}

function parsed(args: readonly string[]): Typed | undefined {
  try {
    const found = commandLine(args);
    return 'verb' in found ? { name: found.name, flags: found.parsed } : undefined;
  } catch (error) {
    if (error instanceof CliProblem) return undefined;
    throw error;
  }
}

async function namesFor({ path }: Verb, { flags = {} }: Typed, { env }: Io): Promise<string[]> {
  try {
    const { withSession } = await import('../cluster/session.ts');
    const given = readFlags(flags);
    return await withSession({ ...given, requestTimeoutMs: PATIENCE_MS }, env, async (session) => {
      const { client, namespace } = session;
      const resource = path[0] === 'cluster' ? RESOURCES.Cluster : RESOURCES.Release;
      const { items } = await client.listAll(resource, { namespace, metadataOnly: true });
      return items.map(({ metadata }) => metadata.name).sort();
    });
  } catch (error) {
    // A refusal, a cluster that is away or a flag that is wrong offers nothing; a fault of this program is told.
    if (error instanceof KubeError || error instanceof CliProblem) return [];
    throw error;
  }
}
