/** Keywords of our own; they stay out of the CRDs. */
export const OWN_KEYWORDS = {
  default: 'x-convoy-default',
  expected: 'x-convoy-expected',
  type: 'x-convoy-type',
} as const;
export const RULES_KEYWORD = 'x-kubernetes-validations';

/** A rule over more than one field, said once for the API server (CEL) and once for ajv. */
export interface Rule {
  /** CEL over `self`; over `oldSelf` too for a rule about a change, which has no `check`. */
  rule: string;
  /** What to do, not only what is wrong. */
  message: string;
  check?: (self: never) => boolean;
}
