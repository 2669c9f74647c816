/** Applies in flight for one Release (apply.md). */
export const CONCURRENCY = 32;
