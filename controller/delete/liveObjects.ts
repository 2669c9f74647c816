import type { InventoryEntry } from '../../api/inventory.ts';
import type { KubeObject } from '../../api/object.ts';
import { isNotFound, isUnserved } from '../../kube/errors.ts';
import { type ApiResource, NameError } from '../../kube/resource.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey } from '../inventory/inventory.ts';

export interface LiveObject {
  resource: ApiResource;
  live: KubeObject;
}

/**
 * Reads the live objects of inventory entries, in whatever version their types are served now: somebody may have moved
 * a type to another one since it was last looked at, and then its objects are not gone.
 */
export class LiveObjects {
  readonly #cluster: TargetCluster;
  readonly #signal: AbortSignal;
  readonly #refreshed = new Set<string>();

  constructor(cluster: TargetCluster, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#signal = signal;
  }

  /**
   * @returns undefined where the object is absent, or its type with all of its objects
   * @throws ApiError, ConnectionError, DiscoveryIncomplete: not knowing is never taken for absence
   */
  async find(entry: InventoryEntry): Promise<LiveObject | undefined> {
    try {
      const found = await this.#look(entry);
      if (found !== 'no type') return found;
    } catch (error) {
      if (!isUnserved(error)) throw error;
    }
    this.#refresh(entry.group);
    const found = await this.#look(entry);
    return found === 'no type' ? undefined : found;
  }

  async #look(entry: InventoryEntry): Promise<LiveObject | 'no type' | undefined> {
    const resource = await this.#cluster.discovery.resourceFor(entry.group, entry.kind);
    if (resource === undefined) return 'no type';
    const { namespace, name } = entryKey(entry);
    // Its type had another scope then, or somebody has edited the entry: there can be no such object.
    if (resource.namespaced !== (namespace !== '')) return undefined;
    try {
      const live = await this.#cluster.client.get(resource, { namespace, name }, { signal: this.#signal });
      return { resource, live };
    } catch (error) {
      if (error instanceof NameError) return undefined;
      if (!isNotFound(error) || isUnserved(error)) throw error;
      return undefined;
    }
  }

  /** Once for each group: a thousand entries of a type that is gone ask no more than one does. */
  #refresh(group: string): void {
    if (this.#refreshed.has(group)) return;
    this.#refreshed.add(group);
    this.#cluster.discovery.invalidate(group);
  }
}
