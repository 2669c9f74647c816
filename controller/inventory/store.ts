import pMap from 'p-map';
import { FINALIZER } from '../../api/annotations.ts';
import { API_VERSION, FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import type { InventoryEntry, ReleaseInventory } from '../../api/inventory.ts';
import { ENTRIES_PER_SHARD } from '../../api/limits.ts';
import { keyString } from '../../api/object.ts';
import { ownerLabels } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import { removeOwn } from '../delete/removeOwn.ts';
import { entryKey, Inventory } from './inventory.ts';
import type { KnownInventories, Shard, Shards } from './known.ts';
import { shardName } from './shardName.ts';

/** No Release holds more shards than this: a list that never ends is a fault, not an inventory. */
const MAX_SHARDS = 100;
const CONCURRENT_WRITES = 4;
/** An object that flaps must not make the API server keep its whole inventory each time (health.md, "Observer"; ms). */
const HEALTH_WRITES_APART_MS = 1_000;

/**
 * Reads and writes the inventory of one Release as ReleaseInventory shards named `<uid of the Release>-<n>`.
 * An entry never moves between shards, so no order of writes and no crash between them can lose one, and a change
 * writes only the shards that it touches. Each write carries the resourceVersion that was read.
 */
export class InventoryStore {
  readonly #client: KubeClient;
  readonly #release: Release;
  readonly #known: KnownInventories;
  #shards: (Shard | undefined)[] = [];
  #isIncomplete = false;

  constructor(client: KubeClient, release: Release, known: KnownInventories) {
    this.#client = client;
    this.#release = release;
    this.#known = known;
  }

  /** Whether a shard that the status tells of was not there when the inventory was read. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** Shards that exist. */
  get shards(): number {
    return this.#shards.length;
  }

  /** As it is known, without a request; else as the API server has it. */
  async read(): Promise<Inventory> {
    const { uid = '', namespace = '' } = this.#release.metadata;
    const known = this.#known.of({ namespace, uid });
    this.#isIncomplete = false;
    if (known === undefined) await this.#keeping(() => this.#readAll());
    else this.#shards = [...known];
    return new Inventory(this.#shards.flatMap((shard) => shard?.entries ?? []));
  }

  /**
   * Writes the shards that differ; an unchanged inventory costs no request.
   * @param now milliseconds of the epoch
   */
  async write(inventory: Inventory, now: number): Promise<void> {
    if (!inventory.changed) return;
    await this.#keeping(() => this.#writeAll(inventory));
    this.#known.wrote(this.#release.metadata.uid ?? '', now);
  }

  /**
   * Writes what a reconcile has left; where that is health alone, at most once a second.
   * @param now milliseconds of the epoch
   * @returns when to write what is left unwritten, milliseconds of the epoch; undefined: nothing is
   */
  async writeInTime(inventory: Inventory, now: number): Promise<number | undefined> {
    const writtenAt = this.#known.writtenAt(this.#release.metadata.uid ?? '') ?? -Infinity;
    const isSoon = now >= writtenAt && now < writtenAt + HEALTH_WRITES_APART_MS;
    if (isSoon && inventory.isChangedInHealthAlone) return writtenAt + HEALTH_WRITES_APART_MS;
    await this.write(inventory, now);
    return undefined;
  }

  /** Removes all shards, when nothing of the Release is left to be tracked. */
  async clear(): Promise<void> {
    await this.#keeping(() => this.#cut(0));
  }

  /** What a request that failed has done is not known. */
  async #keeping(work: () => Promise<void>): Promise<void> {
    const { uid = '' } = this.#release.metadata;
    const { deletions } = this.#known;
    try {
      await work();
    } catch (error) {
      this.#known.doubt(uid);
      throw error;
    }
    // What a shard held that is gone is looked for at each reconcile, until one finds the inventory whole.
    if (this.#isIncomplete) this.#known.doubt(uid);
    else this.#known.keep(uid, this.#shards, deletions);
  }

  /**
   * All shards, one after another by name until one is absent: labels that somebody edited hide nothing, nor does a
   * shard that somebody deleted hide those after it.
   */
  async #readAll(): Promise<void> {
    const known = this.#release.status?.inventory?.shards ?? 0;
    this.#shards = [];
    for (let index = 0; index < MAX_SHARDS; index++) {
      const shard = await this.#get(index);
      if (shard === undefined && index >= known) break;
      this.#shards.push(shard);
    }
    this.#isIncomplete = this.#shards.includes(undefined);
    this.#shards.length = this.#shards.findLastIndex((shard) => shard !== undefined) + 1;
  }

  async #writeAll(inventory: Inventory): Promise<void> {
    const shards = place(inventory.entries(), this.#shards);
    const existing = this.#shards.length;
    await pMap(shards.slice(0, existing), (entries, index) => this.#put(index, entries), {
      concurrency: CONCURRENT_WRITES,
    });
    // From the first: what is written when this is interrupted is without a gap.
    for (const [index, entries] of shards.entries()) if (index >= existing) await this.#put(index, entries);
    await this.#cut(lastUsed(shards) + 1);
    inventory.written();
  }

  #ref(index: number): { namespace: string; name: string } {
    const { uid = '', namespace = '' } = this.#release.metadata;
    return { namespace, name: shardName(uid, index) };
  }

  async #get(index: number): Promise<Shard | undefined> {
    try {
      return shardOf(await this.#client.get<ReleaseInventory>(RESOURCES.ReleaseInventory, this.#ref(index)));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #put(index: number, entries: InventoryEntry[]): Promise<void> {
    const current = this.#shards[index];
    if (current === undefined) {
      const created = await this.#client.create(RESOURCES.ReleaseInventory, this.#newShard(index, entries), {
        fieldManager: FIELD_MANAGER,
      });
      this.#shards[index] = shardOf(created);
    } else if (JSON.stringify(current.entries) !== JSON.stringify(entries)) {
      const patch = { metadata: { resourceVersion: current.resourceVersion }, spec: { entries } };
      const written = await this.#client.patch<ReleaseInventory>(
        RESOURCES.ReleaseInventory,
        this.#ref(index),
        { type: 'merge', patch },
        { fieldManager: FIELD_MANAGER },
      );
      this.#shards[index] = shardOf(written);
    }
  }

  #newShard(index: number, entries: InventoryEntry[]): ReleaseInventory {
    const { name, uid = '' } = this.#release.metadata;
    return {
      apiVersion: API_VERSION,
      kind: 'ReleaseInventory',
      metadata: {
        ...this.#ref(index),
        labels: ownerLabels(this.#release),
        // A foreground deletion of the Release must not take its inventory before its objects are gone.
        finalizers: [FINALIZER],
        ownerReferences: [
          { apiVersion: API_VERSION, kind: 'Release', name, uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      spec: { entries },
    };
  }

  /** Removes the shards from `length` on, from the last: what is left is always without a gap. */
  async #cut(length: number): Promise<void> {
    for (let index = this.#shards.length - 1; index >= length; index--) {
      await removeOwn(this.#client, RESOURCES.ReleaseInventory, this.#ref(index));
      this.#shards.length = index;
    }
  }
}

/** Entries by shard: known ones stay where they are, new ones fill the first shard that has room. */
function place(entries: InventoryEntry[], shards: Shards): InventoryEntry[][] {
  const homes = new Map(
    shards.flatMap((shard, index) =>
      (shard?.entries ?? []).map((entry) => [keyString(entryKey(entry)), index] as const),
    ),
  );
  const placed: InventoryEntry[][] = shards.map(() => []);
  const homeless: InventoryEntry[] = [];
  for (const entry of entries) {
    const home = homes.get(keyString(entryKey(entry)));
    if (home === undefined) homeless.push(entry);
    else placed[home]?.push(entry);
  }
  for (let index = 0; homeless.length > 0; index++) {
    const shard = (placed[index] ??= []);
    shard.push(...homeless.splice(0, Math.max(0, ENTRIES_PER_SHARD - shard.length)));
  }
  return placed;
}

function lastUsed(shards: InventoryEntry[][]): number {
  return shards.findLastIndex((entries) => entries.length > 0);
}

function shardOf({ metadata, spec }: ReleaseInventory): Shard {
  return { resourceVersion: metadata.resourceVersion ?? '', entries: spec.entries };
}
