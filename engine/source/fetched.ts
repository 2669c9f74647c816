import type { SourceFile } from '../render/files.ts';

/** What a source holds now (sources.md). */
export interface Fetched {
  /** Names the content: equal content has the equal revision. */
  revision: string;
  files: SourceFile[];
}

/** A source that cannot be read: says what, why and what to do. */
export class SourceError extends Error {
  /** True when the same fetch may succeed later without a change of the Release or its source. */
  readonly retryable: boolean;

  constructor(message: string, options: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'SourceError';
    this.retryable = options.retryable ?? false;
  }
}
