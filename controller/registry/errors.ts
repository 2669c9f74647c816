/** A registry could not be reached, or did not do what it was asked. The message says which, what failed and what to do. */
export class RegistryError extends Error {
  override name = 'RegistryError';
  /** Of its answer; undefined where none came. */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** What to do, by the status of the answer. */
const REMEDIES: Readonly<Record<number, string>> = {
  400: 'check that the address is one of an OCI registry',
  401: 'check the user name and the password, or the token, in the credentials file',
  403: 'grant these credentials the right to pull, push and delete there',
  404: 'check the address, and create the repository where the registry does not do so by itself',
  405: 'the registry does not allow this',
  413: 'raise the limit of the registry, or of the proxy before it',
  429: 'it is tried again',
};

/** What to do about an answer that was not expected; of a server in trouble, nothing but to wait. */
export function remedyFor(status: number): string {
  return REMEDIES[status] ?? (status >= 500 ? 'it is tried again' : 'see the log of the registry');
}

/** Codes of the distribution specification by which a registry says that it does not delete. */
const UNSUPPORTED = new Set([400, 403, 404, 405, 501]);

/** True where a registry refuses to delete anything, as many do unless they are told to. */
export function refusesDeletion(error: unknown): error is RegistryError {
  return (
    error instanceof RegistryError &&
    (error.status === 405 || (UNSUPPORTED.has(error.status ?? 0) && /\bUNSUPPORTED\b/.test(error.message)))
  );
}
