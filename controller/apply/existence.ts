import { describe, keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { existence } from '../../engine/plan/existence.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { isOlderVersion } from '../../kube/resourceVersion.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { TargetCluster } from '../cluster.ts';

interface Pending {
  key: ObjectKey;
  /** The state last seen. */
  object: KubeObject;
}

/**
 * What others cannot exist without (a Namespace, a CRD, an APIService), as seen from its apply response and then from
 * a watch: no polling.
 */
export class Existence {
  readonly #cluster: TargetCluster;
  readonly #pending = new Map<string, Pending>();

  constructor(cluster: TargetCluster) {
    this.#cluster = cluster;
  }

  /** Takes an apply response; what is not usable yet is remembered with its state. */
  observe(object: KubeObject): void {
    const state = existence(object);
    if (state === undefined) return;
    const key = keyOf(object);
    if (state.usable) {
      this.#pending.delete(keyString(key));
      this.#learn(object);
    } else {
      this.#pending.set(keyString(key), { key, object });
    }
  }

  isPending(key: ObjectKey): boolean {
    return this.#pending.has(keyString(key));
  }

  /** What a person needs to know about what is waited for. */
  explain(keys: Iterable<ObjectKey>): string[] {
    const lines = new Set<string>();
    for (const key of keys) {
      const pending = this.#pending.get(keyString(key));
      if (pending !== undefined)
        lines.add(`${describe(key)} is not usable yet: ${existence(pending.object)?.message ?? 'unknown'}`);
    }
    return [...lines];
  }

  /** Resolves when every one of the keys is usable, or when the signal ends the wait. */
  async usable(keys: ObjectKey[], signal: AbortSignal): Promise<void> {
    const byType = Map.groupBy(
      keys.filter((key) => this.isPending(key)),
      (key) => `${key.group}|${key.kind}`,
    );
    await Promise.all([...byType.values()].map((group) => this.#watch(group, signal)));
  }

  /** One watch for all awaited objects of a type, from the oldest state that was seen; opened again when it ends. */
  async #watch(keys: ObjectKey[], signal: AbortSignal): Promise<void> {
    const [first] = keys;
    if (first === undefined) return;
    const resource = await this.#resourceOf(first);
    try {
      while (keys.some((key) => this.isPending(key))) await this.#follow(resource, keys, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #follow(resource: ApiResource, keys: ObjectKey[], signal: AbortSignal): Promise<void> {
    const resourceVersion = oldest(keys.flatMap((key) => this.#pending.get(keyString(key))?.object ?? []));
    for await (const event of this.#cluster.client.watch(resource, { resourceVersion, signal })) {
      if (event.type === 'BOOKMARK' || event.type === 'ERROR') continue;
      if (this.isPending(keyOf(event.object))) this.observe(event.object);
      if (!keys.some((key) => this.isPending(key))) return;
    }
  }

  async #resourceOf(key: ObjectKey): Promise<ApiResource> {
    const resource = await this.#cluster.discovery.resourceFor(key.group, key.kind);
    if (resource === undefined) throw new Error(`the cluster does not serve ${key.group}/${key.kind}`);
    return resource;
  }

  /** A CRD says all there is to know of its type: no discovery request is needed to use it. */
  #learn(object: KubeObject): void {
    if (object.kind !== 'CustomResourceDefinition') return;
    for (const resource of crdResources(object)) this.#cluster.discovery.register(resource);
  }
}

/** The oldest state, to watch from. */
function oldest(objects: KubeObject[]): string {
  const versions = objects.map((object) => object.metadata.resourceVersion ?? '0');
  return versions.reduce((low, version) => (isOlderVersion(version, low) ? version : low));
}
