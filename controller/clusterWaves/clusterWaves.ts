import type { Release } from '../../api/release.ts';
import { clusterOf, placeOf } from '../../engine/clusterWaves/place.ts';
import { type ClusterVerdict, judgeClusterWave } from '../../engine/clusterWaves/verdict.ts';
import { ClusterOrder } from './clusterOrder.ts';

/**
 * Names alone open no gate: their change is told a little later, so that several become one status, and the later the more
 * Releases wait, so that what they say does not hold up those they wait for (ms).
 */
const NAMES_DELAY_MS = { least: 1_000, each: 10 };

/**
 * Who waits for whom among the Releases of each cluster, from what the watch of Releases tells (waves.md, axis B). When that
 * changes, each Release whose wait it changes is due.
 */
export class ClusterWaves {
  readonly #wake: (release: string, delayMs: number) => void;
  readonly #orders = new Map<string, ClusterOrder>();
  /** The cluster of each Release. */
  readonly #clusters = new Map<string, string>();
  /** Clusters with changes that nobody was told of. */
  readonly #changed = new Set<string>();

  /** @param wake makes a Release due, by its key */
  constructor(wake: (release: string, delayMs: number) => void) {
    this.#wake = wake;
  }

  /** A Release is there, or has changed. */
  learn(key: string, release: Release): void {
    const cluster = clusterOf(release);
    if (this.#clusters.get(key) !== cluster) this.forget(key);
    this.#clusters.set(key, cluster);
    const order = this.#orders.get(cluster) ?? new ClusterOrder();
    this.#orders.set(cluster, order);
    if (order.learn(key, release)) this.#hasChanged(cluster);
  }

  /** A Release is gone. */
  forget(key: string): void {
    const cluster = this.#clusters.get(key);
    const order = cluster === undefined ? undefined : this.#orders.get(cluster);
    if (cluster === undefined || order === undefined) return;
    this.#clusters.delete(key);
    if (order.forget(key)) this.#hasChanged(cluster);
    if (order.isEmpty) this.#orders.delete(cluster);
  }

  /** Whether a Release may be applied now. @param now milliseconds of the epoch */
  judge(release: Release, now: number): ClusterVerdict {
    const standings = this.#orders.get(clusterOf(release))?.standings ?? [];
    return judgeClusterWave(placeOf(release), standings, now);
  }

  /** A list or one chunk of a watch can tell of thousands at once: what they come to is found out once, right after. */
  #hasChanged(cluster: string): void {
    if (this.#changed.size === 0) setImmediate(() => this.#tell());
    this.#changed.add(cluster);
  }

  #tell(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const cluster of changed)
      for (const { news, releases } of this.#orders.get(cluster)?.changes() ?? [])
        for (const release of releases) this.#wake(release, delayOf(news, releases.size));
  }
}

function delayOf(news: 'gate' | 'names', waiting: number): number {
  return news === 'gate' ? 0 : Math.max(NAMES_DELAY_MS.least, NAMES_DELAY_MS.each * waiting);
}
