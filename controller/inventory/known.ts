import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Reflector } from '../../kube/reflector.ts';
import { isOlderVersion } from '../../kube/resourceVersion.ts';
import { shardName, uidOfShard } from './shardName.ts';

/** One shard as it was read or written last. */
export interface Shard {
  resourceVersion: string;
  entries: InventoryEntry[];
}

/** Those of one Release by number; a shard that somebody deleted by hand is a hole. */
export type Shards = readonly (Shard | undefined)[];

/** Whose inventory it is. */
interface Owner {
  namespace: string;
  uid: string;
}

/**
 * Inventories as this process read or wrote them last: a reconcile begins from them and asks nothing. They count as long
 * as the watch of inventories tells nothing newer. What it has not told so far does no harm, since each write carries the
 * resourceVersion that is known.
 */
export class KnownInventories {
  readonly #watch: Reflector<KubeObject>;
  readonly #shards = new Map<string, Shards>();
  readonly #writtenAt = new Map<string, number>();
  #deletions = 0;

  constructor(watch: Reflector<KubeObject>) {
    this.#watch = watch;
    watch.addHandler({
      onDelete: ({ metadata }) => {
        this.#deletions += 1;
        this.#shards.delete(uidOfShard(metadata.name) ?? '');
      },
    });
  }

  /** What `keep` takes, as of now. */
  get deletions(): number {
    return this.#deletions;
  }

  /** The shards of a Release; undefined where they have to be read. */
  of(owner: Owner): Shards | undefined {
    const shards = this.#shards.get(owner.uid);
    if (shards === undefined || !this.#watch.isFollowing) return undefined;
    // One more, which another controller may have made.
    const isLatest = [...shards, undefined].every((shard, index) => this.#isLatest(owner, index, shard));
    if (isLatest) return shards;
    this.#shards.delete(owner.uid);
    return undefined;
  }

  /** @param deletions as they were before the shards were read or written: one of them may be gone since */
  keep(uid: string, shards: Shards, deletions: number): void {
    if (deletions === this.#deletions) this.#shards.set(uid, [...shards]);
    else this.#shards.delete(uid);
  }

  /** They are to be read before they are used again. */
  doubt(uid: string): void {
    this.#shards.delete(uid);
  }

  /** The Release is gone. */
  forget(uid: string): void {
    this.#shards.delete(uid);
    this.#writtenAt.delete(uid);
  }

  wrote(uid: string, at: number): void {
    this.#writtenAt.set(uid, at);
  }

  /** When the inventory was written last, milliseconds of the epoch; undefined: not by this process. */
  writtenAt(uid: string): number | undefined {
    return this.#writtenAt.get(uid);
  }

  #isLatest({ namespace, uid }: Owner, index: number, shard: Shard | undefined): boolean {
    const seen = this.#watch.get(`${namespace}/${shardName(uid, index)}`);
    if (seen === undefined) return true;
    return shard !== undefined && !isOlderVersion(shard.resourceVersion, seen.metadata.resourceVersion);
  }
}
