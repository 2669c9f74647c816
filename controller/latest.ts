import type { Release } from '../api/release.ts';
import { isOlderVersion } from '../kube/resourceVersion.ts';

/**
 * Releases as this process wrote them last. A watch tells of a write later than its answer does, and a reconcile that begins
 * in between must not decide from the state before: it would apply a render again that it has just rolled back.
 */
export class LatestReleases {
  readonly #written = new Map<string, Release>();

  written(key: string, release: Release): void {
    this.#written.set(key, release);
  }

  /** @param seen what the watch tells; the later one of it and what was written */
  of(key: string, seen: Release | undefined): Release | undefined {
    const written = this.#written.get(key);
    const isBehind =
      seen !== undefined &&
      seen.metadata.uid === written?.metadata.uid &&
      isOlderVersion(seen.metadata.resourceVersion, written?.metadata.resourceVersion);
    if (isBehind) return written;
    this.#written.delete(key);
    return seen;
  }
}
