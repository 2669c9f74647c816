import { Halt, heals } from '../release/halt.ts';
import { type Problem, problemLines } from './problem.ts';

/** All problems in one: retried where any of them can heal. */
export function applyFailure(problems: Problem[]): Halt {
  const retryAfterMs = Math.max(0, ...problems.map((problem) => problem.retryAfterMs ?? 0));
  return new Halt(problemLines(problems), {
    reason: problems.every((problem) => problem.forbidden) ? 'AccessDenied' : 'ApplyFailed',
    stage: 'Apply',
    resume: problems.some(({ retryable, error }) => retryable || heals(error)) ? 'retry' : 'change',
    ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
    cause: new AggregateError(problems.map((problem) => problem.error)),
  });
}
