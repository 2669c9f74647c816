/** One thing wrong with a render. */
export interface RenderProblem {
  /** `deploy/web.yaml:12`, or an object as `describe` writes it. */
  where: string;
  what: string;
  /** What the author of the source can do about it. */
  remedy: string;
}

const MAX_PROBLEMS = 20;

/** A source that cannot become objects: nothing of it is applied. Holds every problem found, up to 20. */
export class RenderError extends Error {
  readonly problems: readonly RenderProblem[];

  constructor(problems: readonly RenderProblem[], total = problems.length) {
    const lines = problems.map(({ where, what, remedy }) => `${where}: ${what}: ${remedy}`);
    if (total > problems.length) lines.push(`and ${total - problems.length} more`);
    super(lines.join('\n'));
    this.name = 'RenderError';
    this.problems = problems;
  }
}

/** Collects problems, so that one bad document does not hide the others. */
export class Problems {
  private readonly kept: RenderProblem[] = [];
  private total = 0;

  add(problem: RenderProblem): void {
    this.total++;
    if (this.kept.length < MAX_PROBLEMS) this.kept.push(problem);
  }

  /** Takes over the problems of a RenderError; any other error is thrown on. */
  absorb(error: unknown): void {
    if (!(error instanceof RenderError)) throw error;
    for (const problem of error.problems) this.add(problem);
  }

  /** @throws RenderError where there is a problem */
  throwIfAny(): void {
    if (this.total > 0) throw new RenderError(this.kept, this.total);
  }
}

/** A RenderError of one problem. */
export function problem(where: string, what: string, remedy: string): RenderError {
  return new RenderError([{ where, what, remedy }]);
}
