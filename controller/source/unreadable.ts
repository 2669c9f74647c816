import { SourceError } from '../../engine/source/fetched.ts';
import { isRetryable } from '../../kube/errors.ts';

/** The error of something that the API server did not hand out. */
export function unreadable(error: unknown, what: string): SourceError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SourceError(`${what} cannot be read: ${reason}`, {
    retryable: isRetryable(error),
    cause: error,
  });
}
