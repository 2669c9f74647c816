/** 1: it failed; 2: the command line cannot be used; 124: it took too long, as timeout(1) has it. */
type ExitCode = 1 | 2 | 124;

/** What went wrong as a person is told it: what failed, why, and what to try. */
export class CliProblem extends Error {
  override name = 'CliProblem';
  /** Lines; the cause of the failure. */
  readonly why: readonly string[];
  /** Lines; each something that the person can do. */
  readonly hints: readonly string[];
  readonly exitCode: ExitCode;

  constructor(
    what: string,
    options: {
      why?: readonly string[];
      hints?: readonly string[];
      exitCode?: ExitCode;
      cause?: unknown;
    } = {},
  ) {
    super(what, { cause: options.cause });
    this.why = options.why ?? [];
    this.hints = options.hints ?? [];
    this.exitCode = options.exitCode ?? 1;
  }
}

/** A command line that cannot be used. */
export function usageProblem(what: string, hint: string): CliProblem {
  return new CliProblem(what, { hints: [hint], exitCode: 2 });
}

/** A problem of a command whose exit code 1 is an answer, a difference: scripts tell it from what went wrong (2). */
export function asTrouble(problem: CliProblem): CliProblem {
  if (problem.exitCode !== 1) return problem;
  const { message, why, hints, cause } = problem;
  return new CliProblem(message, { why, hints, exitCode: 2, cause });
}
