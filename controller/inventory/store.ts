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

/** No Release holds more shards than this: a list that never ends is a fault, not an inventory. */
const MAX_SHARDS = 100;
const CONCURRENT_WRITES = 4;

/**
 * Reads and writes the inventory of one Release as ReleaseInventory shards named `<uid of the Release>-<n>`.
 * An entry never moves between shards, so no order of writes and no crash between them can lose one, and a change
 * writes only the shards that it touches. Each write carries the resourceVersion that was read.
 */
export class InventoryStore {
  readonly #client: KubeClient;
  readonly #release: Release;
  /** A shard that somebody deleted by hand is a hole. */
  #shards: (ReleaseInventory | undefined)[] = [];

  constructor(client: KubeClient, release: Release) {
    this.#client = client;
    this.#release = release;
  }

  /** Shards that exist. */
  get shards(): number {
    return this.#shards.length;
  }

  /**
   * All shards, one after another by name until one is absent: labels that somebody edited hide nothing, nor does a
   * shard that somebody deleted hide those after it.
   */
  async read(): Promise<Inventory> {
    const known = this.#release.status?.inventory?.shards ?? 0;
    this.#shards = [];
    for (let index = 0; index < MAX_SHARDS; index++) {
      const shard = await this.#get(index);
      if (shard === undefined && index >= known) break;
      this.#shards.push(shard);
    }
    this.#shards.length = this.#shards.findLastIndex((shard) => shard !== undefined) + 1;
    return new Inventory(this.#shards.flatMap((shard) => shard?.spec.entries ?? []));
  }

  /** Writes the shards that differ; an unchanged inventory costs no request. */
  async write(inventory: Inventory): Promise<void> {
    if (!inventory.changed) return;
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

  /** Removes all shards, when nothing of the Release is left to be tracked. */
  async clear(): Promise<void> {
    await this.#cut(0);
  }

  #ref(index: number): { namespace: string; name: string } {
    const { uid = '', namespace = '' } = this.#release.metadata;
    return { namespace, name: `${uid}-${index}` };
  }

  async #get(index: number): Promise<ReleaseInventory | undefined> {
    try {
      return await this.#client.get<ReleaseInventory>(RESOURCES.ReleaseInventory, this.#ref(index));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #put(index: number, entries: InventoryEntry[]): Promise<void> {
    const current = this.#shards[index];
    if (current === undefined) {
      this.#shards[index] = await this.#client.create(
        RESOURCES.ReleaseInventory,
        this.#newShard(index, entries),
        { fieldManager: FIELD_MANAGER },
      );
    } else if (JSON.stringify(current.spec.entries) !== JSON.stringify(entries)) {
      const patch = { metadata: { resourceVersion: current.metadata.resourceVersion }, spec: { entries } };
      this.#shards[index] = await this.#client.patch<ReleaseInventory>(
        RESOURCES.ReleaseInventory,
        this.#ref(index),
        { type: 'merge', patch },
        { fieldManager: FIELD_MANAGER },
      );
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
function place(
  entries: InventoryEntry[],
  shards: readonly (ReleaseInventory | undefined)[],
): InventoryEntry[][] {
  const homes = new Map(
    shards.flatMap((shard, index) =>
      (shard?.spec.entries ?? []).map((entry) => [keyString(entryKey(entry)), index] as const),
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

/** UID of the Release that a shard of this name belongs to; undefined for any other name. */
export function uidOfShard(name: string): string | undefined {
  return /^(.+)-\d+$/.exec(name)?.[1];
}
