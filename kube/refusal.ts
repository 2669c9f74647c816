import { ApiError, isForbidden } from './errors.ts';
import { immutableFields, isOnlyImmutable } from './immutable.ts';

const NAMESPACE_ENDS = /because it is being terminated/;

/** Nothing can be created in a Namespace that is being deleted. */
export function isOfEndingNamespace(error: unknown): boolean {
  return isForbidden(error) && NAMESPACE_ENDS.test(error.serverMessage);
}

/** The server also says 403 for what no right helps against: quotas, namespaces that end, Pod Security, webhooks. */
export function isAccessDenied(error: unknown): error is ApiError {
  return isForbidden(error) && /cannot \S+ resource|attempting to grant/.test(error.serverMessage);
}

/** What to do where `isAccessDenied` and the right to act as somebody is missing. */
export const MAY_IMPERSONATE =
  'the identity that Convoy has on that cluster needs the right to impersonate this ServiceAccount: grant it';

/** The right to act as somebody is missing, in the words of API servers that have one right for all, or one for each verb. */
export function lacksImpersonation({ serverMessage }: ApiError): boolean {
  return /cannot impersonate(-on:\S+)? resource/.test(serverMessage);
}

/** What to do where the server refuses the identity that asks. */
export function adviceOnRights(error: ApiError): string {
  return lacksImpersonation(error) ? MAY_IMPERSONATE : 'grant this user the right';
}

/** What the server puts before the fields that are wrong: it only names the object again. */
const TYPED_PATCH = /^failed to create typed patch object \([^)]*\): (?:errors:)?/;

/** What went wrong with one object in the words that a person reads, on one line where the server lists fields. */
export function refusalWords(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (isOnlyImmutable(error)) return immutableWords(error);
  if (!TYPED_PATCH.test(error.serverMessage)) return error.serverMessage;
  const fields = error.serverMessage.replace(TYPED_PATCH, '').split('\n');
  return fields
    .map((field) => field.trim())
    .filter((field) => field !== '')
    .join('; ');
}

/** Without the values, which the server writes out: a whole pod template for a Job. */
function immutableWords(error: ApiError): string {
  return immutableFields(error)
    .map(({ field, words }) => (field === '' ? words : `${field}: ${words}`))
    .join('; ');
}
