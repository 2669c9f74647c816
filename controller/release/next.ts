import type { Release } from '../../api/release.ts';

/** When the Release is to be looked at again. */
export interface Next {
  /** With back-off: something failed that may heal. */
  retry: boolean;
  /** No sooner than this where `retry` stands, else at the latest; milliseconds. */
  afterMs?: number;
  /** At the latest whatever becomes of a retry, milliseconds. */
  lookInMs?: number;
  /** Its render is small, so that many like it can be worked on at once; undefined: not known in this reconcile. */
  isLight?: boolean;
  /** As it was read or last written: a watch may still tell of the time before. */
  release?: Release;
}
