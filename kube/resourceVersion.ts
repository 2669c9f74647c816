const NUMBER = /^[1-9]\d{0,38}$/;

/**
 * Whether resourceVersion `a` is from before `b`. Kubernetes' own servers count in whole numbers that only grow
 * (KEP-5504); of versions that are no such numbers, as other servers may give, nothing can be said.
 */
export function isOlderVersion(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || !NUMBER.test(a) || !NUMBER.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}
