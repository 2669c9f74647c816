import type { KubeObject } from '../api/object.ts';
import { isOlderVersion } from './resourceVersion.ts';
import { storeKey } from './store.ts';

/** A list, of which only the metadata counts here. */
interface Listed {
  items: readonly KubeObject[];
  resourceVersion: string;
}

/**
 * Holds what a watch has told against a list. The list knows more than the watch has told so far, and the watch may know more
 * by the time the answer is there: so what differs is only suspected, and is cleared by any event of that object, until the watch
 * has told all that the list knows.
 */
export class ListCheck {
  /** The watch has told all that the list knows. */
  readonly caughtUp = Promise.withResolvers<undefined>();
  readonly #version: string;
  readonly #suspects: Set<string>;

  /** @param known by key, what the watch has told when the answer came */
  constructor({ items, resourceVersion }: Listed, known: readonly KubeObject[]) {
    this.#version = resourceVersion;
    const listed = new Map(items.map((item) => [storeKey(item.metadata), item]));
    const mirrored = new Map(known.map((object) => [storeKey(object.metadata), object]));
    const keys = new Set([...listed.keys(), ...mirrored.keys()]);
    this.#suspects = new Set([...keys].filter((key) => this.#differs(mirrored.get(key), listed.get(key))));
  }

  /** Objects that no event has told of. */
  get missed(): ReadonlySet<string> {
    return this.#suspects;
  }

  /** @param key of the object that an event tells of; undefined for a bookmark */
  told(key: string | undefined, resourceVersion: string | undefined): void {
    if (key !== undefined) this.#suspects.delete(key);
    if (!isOlderVersion(resourceVersion, this.#version)) this.caughtUp.resolve(undefined);
  }

  /** All was listed anew meanwhile. */
  replaced(): void {
    this.#suspects.clear();
    this.caughtUp.resolve(undefined);
  }

  #differs(known: KubeObject | undefined, listed: KubeObject | undefined): boolean {
    if (listed === undefined) return !this.#isNewer(known);
    if (known?.metadata.uid !== listed.metadata.uid) return !this.#isNewer(known);
    return isOlderVersion(known?.metadata.resourceVersion, listed.metadata.resourceVersion);
  }

  /** Made or changed after the list. */
  #isNewer(known: KubeObject | undefined): boolean {
    return isOlderVersion(this.#version, known?.metadata.resourceVersion);
  }
}
