/** A command line that cannot be used: its message says which flag, and what it takes. */
export class UsageError extends Error {
  override name = 'UsageError';
}
