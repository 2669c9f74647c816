import { ApiError } from '../../kube/errors.ts';
import { isAccessDenied } from '../../kube/refusal.ts';

/** A right that the caller lacks. */
export interface MissingRight {
  verb: string;
  /** `deployments.apps`. */
  resource: string;
  /** '' for what is cluster-scoped. */
  namespace: string;
}

const WORDS =
  /cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]*)")?/;

/** The right that a refusal says is lacking; undefined for other errors. */
export function missingRight(error: unknown): MissingRight | undefined {
  if (!(error instanceof ApiError) || !isAccessDenied(error)) return undefined;
  const {
    verb = '',
    resource = '',
    group = '',
    namespace = '',
  } = WORDS.exec(error.serverMessage)?.groups ?? {};
  if (verb === '') return undefined;
  return { verb, resource: group === '' ? resource : `${resource}.${group}`, namespace };
}

/** `patch configmaps in shop`. */
export function rightText({ verb, resource, namespace }: MissingRight): string {
  return `${verb} ${resource}${namespace === '' ? '' : ` in ${namespace}`}`;
}
