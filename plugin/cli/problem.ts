/** What went wrong as a person is told it: what failed, why, and what to try. */
export class CliProblem extends Error {
  override name = 'CliProblem';
  /** Lines; the cause of the failure. */
  readonly why: readonly string[];
  /** Lines; each something that the person can do. */
  readonly hints: readonly string[];
  readonly exitCode: 1 | 2;

  constructor(
    what: string,
    options: { why?: readonly string[]; hints?: readonly string[]; exitCode?: 1 | 2; cause?: unknown } = {},
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
