import { SourceError } from '../../engine/source/fetched.ts';
import { isRetryable } from '../../kube/errors.ts';
import { adviceOnRights, isAccessDenied } from '../../kube/refusal.ts';

/** The error of something that the API server did not hand out. */
export function unreadable(error: unknown, what: string): SourceError {
  const reason = error instanceof Error ? error.message : String(error);
  const isDenied = isAccessDenied(error);
  const advice = isDenied ? ` – ${adviceOnRights(error)}` : '';
  return new SourceError(`${what} cannot be read: ${reason}${advice}`, {
    // Nothing tells when a right is given.
    retryable: isRetryable(error) || isDenied,
    cause: error,
  });
}
