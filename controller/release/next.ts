/** When the Release is to be looked at again. */
export interface Next {
  /** With back-off: something failed that may heal. */
  retry: boolean;
  /** No sooner than this where `retry` stands, else at the latest; milliseconds. */
  afterMs?: number;
}
