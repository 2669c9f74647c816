import { UPDATE_POLICY } from '../../api/annotations.ts';
import { describe, type ObjectKey } from '../../api/object.ts';
import { ApiError, isForbidden, isNotFound, isRetryable, isTypedPatchError } from '../../kube/errors.ts';
import { immutableFields, isOnlyImmutable } from './immutable.ts';

/** One object that the API server did not take, in the words that a person reads. */
export interface Problem {
  key: ObjectKey;
  /** Object, what the server said, what to do. */
  message: string;
  /** May heal without anybody changing anything. */
  retryable: boolean;
  /** The identity that applies lacks a right. */
  forbidden: boolean;
  retryAfterMs: number | undefined;
  error: unknown;
}

interface Remedy {
  applies: (error: ApiError) => boolean;
  advice: string;
}

const NAMESPACE_ENDS = /because it is being terminated/;

/** Nothing can be created in a Namespace that is being deleted; no other object is the worse for it (edge case 12). */
export function isOfEndingNamespace(error: unknown): boolean {
  return isForbidden(error) && NAMESPACE_ENDS.test(error.serverMessage);
}

const says = (pattern: RegExp) => (error: ApiError) => pattern.test(error.serverMessage);

/** The server also says 403 for what no right helps against: quotas, namespaces that end, Pod Security, webhooks. */
function isAccessDenied(error: unknown): boolean {
  return isForbidden(error) && /cannot \S+ resource|attempting to grant/.test(error.serverMessage);
}

/** First match wins. */
const REMEDIES: readonly Remedy[] = [
  { applies: isTypedPatchError, advice: 'correct the name or the type of each field named' },
  { applies: says(/unknown field/), advice: 'correct the name of that field' },
  {
    applies: (error) => immutableFields(error).length > 0,
    advice: `an existing object cannot get this change: keep the old value, or annotate the object ${UPDATE_POLICY}: Recreate to have it deleted and created again`,
  },
  {
    applies: says(/is being terminated|terminating/i),
    advice: 'its Namespace is being deleted: wait until it is gone, or choose another one',
  },
  { applies: says(/namespaces ".*" not found/), advice: 'create the Namespace, or add it to the source' },
  {
    applies: isNotFound,
    advice:
      'the cluster does not serve this kind in this version: correct apiVersion, or install its CustomResourceDefinition',
  },
  { applies: says(/exceeded quota/), advice: 'raise the ResourceQuota, or ask for less' },
  {
    applies: says(/denied the request/),
    advice: 'an admission webhook refuses it: change the object, or ask the owner of the webhook',
  },
  {
    applies: says(/violates PodSecurity/),
    advice: 'change the pod to what the Pod Security level of its Namespace allows, or change that level',
  },
  { applies: isAccessDenied, advice: 'grant the identity that applies this right, or leave the object out' },
];

export function problemOf(key: ObjectKey, error: unknown): Problem {
  const retryable = isRetryable(error, { conflict: true });
  const advice = adviceFor(error, retryable);
  return {
    key,
    message: `${describe(key)}: ${wordsOf(error)}${advice === undefined ? '' : ` – ${advice}`}`,
    retryable,
    forbidden: isAccessDenied(error),
    retryAfterMs: error instanceof ApiError ? error.retryAfterMs : undefined,
    error,
  };
}

/** What the server puts before the fields that are wrong: it only names the object again. */
const TYPED_PATCH = /^failed to create typed patch object \([^)]*\): (?:errors:)?/;

function wordsOf(error: unknown): string {
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

function adviceFor(error: unknown, retryable: boolean): string | undefined {
  if (retryable) return 'it is tried again';
  if (!(error instanceof ApiError)) return undefined;
  return REMEDIES.find((remedy) => remedy.applies(error))?.advice;
}

/** Objects that a message names before it only counts. */
const NAMED = 10;

/** Problems as lines, the first ten in full. */
export function problemLines(problems: Problem[]): string {
  const lines = problems.slice(0, NAMED).map((problem) => problem.message);
  if (problems.length > NAMED) lines.push(`and ${problems.length - NAMED} more`);
  return lines.join('\n');
}
