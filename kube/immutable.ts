import { ApiError, isInvalid, type StatusCause } from './errors.ts';

/**
 * How the API server says that a field cannot change on an existing object; tested against a real one, and those of older
 * servers. There is no code for it: kinds of Kubernetes say it in words of their own, custom resources in those of their CRD.
 */
const WORDS: readonly RegExp[] = [
  /(?:\S+ is )?\bimmutable\b[^\n]*/i,
  /may not change once set/,
  /may not be changed in an update/,
  /updates to statefulset spec for fields other than [^\n]* are forbidden/,
  /pod updates may not change fields other than [^\n]*/,
  /updates to \S+ are forbidden/,
  /cannot change roleRef/,
  /primary ipFamily can not be changed/,
  /failed rule: [^\n]*\boldSelf\b[^\n]*/,
];

/** An admission webhook that guards fields of a kind speaks of it in the same word. */
const DENIED = /denied the request: .*\bimmutable\b/s;

/** A field that cannot change, and the server's words for that, without the values. */
export interface ImmutableField {
  /** As the server writes it: `spec.selector`; `` where it names none. */
  field: string;
  words: string;
}

/**
 * The fields that an apply was refused for, since they cannot change on an existing object.
 * @returns [] where that is not the reason
 */
export function immutableFields(error: unknown): ImmutableField[] {
  if (!(error instanceof ApiError)) return [];
  const { serverMessage, details } = error;
  if (DENIED.test(serverMessage)) return [{ field: '', words: serverMessage }];
  if (!isInvalid(error)) return [];
  return causesOf(details?.causes, serverMessage).flatMap(({ field = '', message = '' }) => {
    const words = WORDS.map((pattern) => pattern.exec(message)?.[0]).find((found) => found !== undefined);
    return words === undefined ? [] : [{ field, words }];
  });
}

/** Whether the same refusal also has other reasons, which no new object would be free of. */
export function isOnlyImmutable(error: ApiError): boolean {
  const found = immutableFields(error).length;
  return found > 0 && found >= (error.details?.causes?.length ?? 0);
}

function causesOf(causes: StatusCause[] | undefined, message: string): StatusCause[] {
  return causes === undefined || causes.length === 0 ? [{ message }] : causes;
}
