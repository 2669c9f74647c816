import type { Invocation } from '../commands/command.ts';
import { type Call, commandLine } from './commandLine.ts';
import { explain } from './explain.ts';
import { readFlags } from './flags.ts';
import { type Io, textOf } from './io.ts';
import { paintFor } from './paint.ts';
import { problemLines } from './printProblem.ts';

/** What kubectl_complete-convoy asks, as cobra names it. */
const COMPLETE = '__complete';

/**
 * Runs one command line.
 * @param args what stands behind `kubectl convoy`
 * @returns the exit code: 0, 1 where it failed, 2 where the command line cannot be used
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    if (args[0] === COMPLETE) return await (await import('./complete.ts')).complete(args.slice(1), io);
    const found = commandLine(args);
    if ('help' in found) {
      const { helpText } = await import('./help.ts');
      io.stdout.write(helpText(found.help, io.stdout.columns ?? Infinity));
      return 0;
    }
    const call = invocation(found, io);
    const command = await found.verb.load();
    return await command(call);
  } catch (error) {
    return report(error, io);
  }
}

function invocation({ name, words, parsed }: Call, io: Io): Invocation {
  const flags = readFlags(parsed);
  return { io, flags, name, words, paint: paintFor(io, flags.color), width: io.stdout.columns ?? Infinity };
}

function report(error: unknown, { stderr, env }: Io): number {
  const problem = explain(error);
  const paint = paintFor({ stdout: stderr, env }, 'auto');
  stderr.write(textOf(problemLines(problem, { width: stderr.columns ?? Infinity, paint })));
  return problem.exitCode;
}
