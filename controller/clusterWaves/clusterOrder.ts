import { isDeepStrictEqual } from 'node:util';
import { clusterWaveMessage } from '../../engine/clusterWaves/message.ts';
import { type Place, placeOf } from '../../engine/clusterWaves/place.ts';
import { type Standing, standingOf } from '../../engine/clusterWaves/standing.ts';
import { judgeClusterWave } from '../../engine/clusterWaves/verdict.ts';
import type { Release } from '../../api/release.ts';

/** Releases that ask the same of those before them: what one of them waits for, all do. */
interface Rank {
  place: Place;
  releases: Set<string>;
  /** What was last said of what they wait for; empty while they wait for nobody. */
  said: string;
}

/** What has become of what a Release waits for: whether it may be applied has changed, or only for whom it waits. */
export type OrderNews = 'gate' | 'names';

/**
 * The Releases of one cluster by wave, with who waits for whom. Releases of one rank are judged together, so that one change
 * costs as many judgements as there are ranks above it, however many Releases wait.
 */
export class ClusterOrder {
  readonly #standings = new Map<string, Standing>();
  readonly #ranks = new Map<string, Rank>();
  readonly #rankOf = new Map<string, Rank>();
  /** The lowest wave that has changed since it was last told what that changes. */
  #changedWave = Infinity;

  /** How all Releases stand that others can wait for. */
  get standings(): Iterable<Standing> {
    return this.#standings.values();
  }

  get isEmpty(): boolean {
    return this.#rankOf.size === 0;
  }

  /** @returns whether it can matter to others; `changes` tells to whom */
  learn(key: string, release: Release): boolean {
    this.#enter(key, placeOf(release));
    return this.#stands(key, standingOf(release));
  }

  /** As learn, of a Release that is gone. */
  forget(key: string): boolean {
    this.#leave(key);
    return this.#stands(key, undefined);
  }

  /** Those whose wait has changed since this was last asked. */
  changes(): { news: OrderNews; releases: ReadonlySet<string> }[] {
    const above = [...this.#ranks.values()].filter(({ place }) => place.wave > this.#changedWave);
    this.#changedWave = Infinity;
    return above.flatMap((rank) => {
      const before = rank.said;
      rank.said = this.#say(rank.place);
      if (rank.said === before) return [];
      const isGate = rank.said === '' || before === '';
      return [{ news: isGate ? 'gate' : 'names', releases: rank.releases }];
    });
  }

  #stands(key: string, standing: Standing | undefined): boolean {
    const before = this.#standings.get(key);
    if (isDeepStrictEqual(before, standing)) return false;
    if (standing === undefined) this.#standings.delete(key);
    else this.#standings.set(key, standing);
    const lowest = Math.min(before?.wave ?? Infinity, standing?.wave ?? Infinity);
    this.#changedWave = Math.min(this.#changedWave, lowest);
    return true;
  }

  #enter(key: string, place: Place): void {
    const id = [place.wave, place.strategy, place.limitMs].join();
    const rank = this.#ranks.get(id) ?? { place, releases: new Set(), said: this.#say(place) };
    if (this.#rankOf.get(key) === rank) return;
    this.#leave(key);
    rank.releases.add(key);
    this.#ranks.set(id, rank);
    this.#rankOf.set(key, rank);
  }

  #leave(key: string): void {
    const rank = this.#rankOf.get(key);
    if (rank === undefined) return;
    rank.releases.delete(key);
    this.#rankOf.delete(key);
    if (rank.releases.size > 0) return;
    for (const [id, known] of this.#ranks) if (known === rank) this.#ranks.delete(id);
  }

  /** Without a clock: a limit that passes is seen by the reconcile that is due then. */
  #say(place: Place): string {
    const verdict = judgeClusterWave(place, this.#standings.values(), 0);
    return verdict.gate === 'open' ? '' : clusterWaveMessage(verdict, place);
  }
}
