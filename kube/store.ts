import type { KubeObject } from '../api/object.ts';
import type { ObjectName } from './client.ts';

/** What happened to one object of a store. */
export type Change<T> =
  | { type: 'add'; object: T }
  | { type: 'update'; object: T; previous: T }
  /** `finalStateKnown` is false where the deletion was not seen and `object` is the last state that was. */
  | { type: 'delete'; object: T; finalStateKnown: boolean };

/** `shop/web`, or `web` for a cluster-scoped object: client-go's MetaNamespaceKeyFunc. Neither part can hold a slash. */
export function storeKey({ namespace = '', name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

/**
 * The objects of one kind by namespace and name, and the one place that says what a new state means: each uid is
 * added, then updated, then deleted once. Each change is emitted after it is in the store.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #emit: (change: Change<T>) => void;

  /** `emit` must not throw. */
  constructor(emit: (change: Change<T>) => void) {
    this.#emit = emit;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** By `storeKey`. */
  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  /** All objects, in the order in which they came. */
  list(): T[] {
    return [...this.#objects.values()];
  }

  /** Makes `objects` the whole content: what is not among them was deleted unseen. */
  replace(objects: Iterable<T>): void {
    const next = new Map<string, T>();
    for (const object of objects) next.set(storeKey(object.metadata), object);
    for (const [key, known] of [...this.#objects]) {
      if (!next.has(key)) this.#drop(key, known, false);
    }
    for (const [key, object] of next) this.#set(key, object);
  }

  /** Takes in a state that a watch told (ADDED or MODIFIED). A state that is known already changes nothing. */
  put(object: T): void {
    this.#set(storeKey(object.metadata), object);
  }

  /** Takes in a deletion that a watch told, with the final state. */
  remove(object: T): void {
    const key = storeKey(object.metadata);
    const known = this.#objects.get(key);
    if (known === undefined) return;
    if (isSame(object, known)) this.#drop(key, object, true);
    else this.#drop(key, known, false);
  }

  #set(key: string, object: T): void {
    const known = this.#objects.get(key);
    if (known !== undefined && isSame(object, known)) {
      if (hasSameVersion(object, known)) return;
      this.#objects.set(key, object);
      this.#emit({ type: 'update', object, previous: known });
      return;
    }
    if (known !== undefined) this.#drop(key, known, false);
    this.#objects.set(key, object);
    this.#emit({ type: 'add', object });
  }

  #drop(key: string, object: T, finalStateKnown: boolean): void {
    this.#objects.delete(key);
    this.#emit({ type: 'delete', object, finalStateKnown });
  }
}

/** Not the same name alone: an object that was deleted and made again has another uid. */
function isSame(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.uid === b.metadata.uid;
}

function hasSameVersion(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.resourceVersion !== undefined && a.metadata.resourceVersion === b.metadata.resourceVersion
  );
}
