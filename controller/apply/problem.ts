import { UPDATE_POLICY } from '../../api/annotations.ts';
import { describe, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { withoutSecretValues } from '../../engine/source/secretObject.ts';
import { ApiError, isNotFound, isRetryable, isTypedPatchError } from '../../kube/errors.ts';
import { immutableFields } from '../../kube/immutable.ts';
import { isAccessDenied, lacksImpersonation, MAY_IMPERSONATE, refusalWords } from '../../kube/refusal.ts';

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

const says = (pattern: RegExp) => (error: ApiError) => pattern.test(error.serverMessage);

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
    applies: says(/denied request: /),
    advice: 'an admission policy refuses it: change the object, or ask the owner of the policy',
  },
  {
    applies: says(/violates PodSecurity/),
    advice: 'change the pod to what the Pod Security level of its Namespace allows, or change that level',
  },
  { applies: lacksImpersonation, advice: MAY_IMPERSONATE },
  { applies: isAccessDenied, advice: 'grant the identity that applies this right, or leave the object out' },
];

/** @param sent the object that the error is about: where it is a Secret, its values are not told */
export function problemOf(key: ObjectKey, error: unknown, sent?: KubeObject): Problem {
  const retryable = isRetryable(error, { conflict: true });
  const words = withoutSecretValues(refusalWords(error), sent === undefined ? [] : [sent]);
  const advice = adviceFor(error, retryable);
  return {
    key,
    message: `${describe(key)}: ${words}${advice === undefined ? '' : ` – ${advice}`}`,
    retryable,
    forbidden: isAccessDenied(error),
    retryAfterMs: error instanceof ApiError ? error.retryAfterMs : undefined,
    error,
  };
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
