import { keyString, type ObjectKey } from '../../api/object.ts';
import type { InventoryEntry } from '../../api/inventory.ts';

/** The key that an entry stands for. */
export function entryKey(entry: InventoryEntry): ObjectKey {
  return { group: entry.group, kind: entry.kind, namespace: entry.namespace, name: entry.name };
}

/**
 * What a Release has applied or is about to apply, by key. An object is listed before its first apply, without
 * a UID, so a controller that dies at any instant leaks nothing (apply.md, crash safety).
 */
export class Inventory {
  readonly #entries = new Map<string, InventoryEntry>();
  #hasChanged = false;
  #hasHealthChanged = false;

  constructor(entries: Iterable<InventoryEntry> = []) {
    for (const entry of entries) this.#entries.set(keyString(entryKey(entry)), entry);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** True when entries differ from those read or last written. */
  get changed(): boolean {
    return this.#hasChanged || this.#hasHealthChanged;
  }

  /** True when nothing but the health of objects differs. */
  get isChangedInHealthAlone(): boolean {
    return this.#hasHealthChanged && !this.#hasChanged;
  }

  get(key: ObjectKey): InventoryEntry | undefined {
    return this.#entries.get(keyString(key));
  }

  /** Whether objects are listed for a render, as they are from before its first apply on. */
  isListedFor(renderRef: string): boolean {
    return [...this.#entries.values()].some((entry) => entry.renderRef === renderRef);
  }

  /** UIDs of the objects: under whatever key, since types move between API groups. */
  uids(): Set<string> {
    return new Set([...this.#entries.values()].flatMap(({ uid }) => (uid === undefined ? [] : [uid])));
  }

  /** Adds or replaces the entry; equal ones leave the inventory unchanged. */
  set(entry: InventoryEntry): void {
    if (this.#replace(entry)) this.#hasChanged = true;
  }

  /** Records the UID that the API server gave the object. */
  applied(key: ObjectKey, uid: string): void {
    const entry = this.get(key);
    if (entry !== undefined) this.set({ ...entry, uid });
  }

  /** Records how healthy the object is. */
  assessed(key: ObjectKey, health: NonNullable<InventoryEntry['health']>): void {
    const entry = this.get(key);
    if (entry === undefined) return;
    const { message, ...rest } = health;
    if (this.#replace({ ...entry, health: message === '' ? rest : health })) this.#hasHealthChanged = true;
  }

  /** The object is about to be deleted by its purge-order, and is not applied again for this render. */
  purging(key: ObjectKey): void {
    const entry = this.get(key);
    if (entry !== undefined) this.set({ ...entry, purged: true });
  }

  /** It is gone by its purge-order. */
  purged(key: ObjectKey): void {
    const entry = this.get(key);
    if (entry === undefined) return;
    const gone = { ...entry, purged: true };
    delete gone.uid;
    this.set(gone);
  }

  /** Purged, and known to be gone. */
  isPurged(key: ObjectKey): boolean {
    const entry = this.get(key);
    return entry?.purged === true && entry.uid === undefined;
  }

  drop(key: ObjectKey): void {
    if (this.#entries.delete(keyString(key))) this.#hasChanged = true;
  }

  /** Entries in order of key, so that equal inventories are equal shards. */
  entries(): InventoryEntry[] {
    return [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  }

  written(): void {
    this.#hasChanged = false;
    this.#hasHealthChanged = false;
  }

  /** @returns whether that changes anything */
  #replace(entry: InventoryEntry): boolean {
    const id = keyString(entryKey(entry));
    const known = this.#entries.get(id);
    if (known !== undefined && sameEntry(known, entry)) return false;
    this.#entries.set(id, entry);
    return true;
  }
}

function sameEntry(a: InventoryEntry, b: InventoryEntry): boolean {
  return (
    a.uid === b.uid &&
    a.version === b.version &&
    a.wave === b.wave &&
    a.stage === b.stage &&
    a.strategy === b.strategy &&
    a.timeout === b.timeout &&
    a.deleteOrder === b.deleteOrder &&
    a.renderRef === b.renderRef &&
    a.purged === b.purged &&
    sameHealth(a.health, b.health)
  );
}

function sameHealth(a: InventoryEntry['health'], b: InventoryEntry['health']): boolean {
  return (
    a?.state === b?.state &&
    a?.message === b?.message &&
    a?.since === b?.since &&
    a?.unhealthySince === b?.unhealthySince &&
    a?.renderRef === b?.renderRef
  );
}
