import { describe, keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { existence } from '../../engine/plan/existence.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { followObjects } from '../../kube/followObjects.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import type { TargetCluster } from '../cluster.ts';

interface Tracked {
  key: ObjectKey;
  /** The state last seen; undefined before the first. */
  object: KubeObject | undefined;
  usable: boolean;
  becomesUsable: PromiseWithResolvers<undefined>;
}

/**
 * What others cannot exist without (a Namespace, a CRD, an APIService): as its apply response shows it, and where that
 * is not enough, as a watch does. Nothing is polled, and what is usable at once costs no request.
 */
export class Existence {
  readonly #cluster: TargetCluster;
  readonly #tracked = new Map<string, Tracked>();
  readonly #following = new Set<string>();
  readonly #stop = new AbortController();
  #failure: Error | undefined;

  /** @param needed what objects of the render cannot exist without; nothing else is followed */
  constructor(cluster: TargetCluster, needed: Iterable<ObjectKey>) {
    this.#cluster = cluster;
    for (const key of needed) this.#track(key);
  }

  /** Ends the watches. */
  close(): void {
    this.#stop.abort();
  }

  /** Takes the state of an object; one that is not usable yet is followed from there. */
  observe(object: KubeObject): void {
    const tracked = this.#tracked.get(keyString(keyOf(object)));
    const state = existence(object);
    if (tracked === undefined || state === undefined) return;
    tracked.object = object;
    if (state.usable) {
      this.#learn(object);
      tracked.usable = true;
      tracked.becomesUsable.resolve(undefined);
    } else {
      tracked.usable = false;
      this.#follow(tracked.key, object.metadata.resourceVersion);
    }
  }

  /** Takes an object for usable that was found to be so by other means. */
  assume(key: ObjectKey): void {
    const tracked = this.#tracked.get(keyString(key));
    if (tracked === undefined) return;
    tracked.usable = true;
    tracked.becomesUsable.resolve(undefined);
  }

  /** Whether an object of the render cannot exist without it. */
  isNeeded(key: ObjectKey): boolean {
    return this.#tracked.has(keyString(key));
  }

  isUsable(key: ObjectKey): boolean {
    return this.#track(key).usable;
  }

  /** Resolves when all keys are usable; rejects when the signal aborts or following them failed. */
  async usable(keys: readonly ObjectKey[], signal: AbortSignal): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const usable = Promise.all(keys.map((key) => this.#track(key).becomesUsable.promise));
    await unlessAborted(usable, signal);
  }

  /** What a person needs to know about the keys that are not usable. */
  explain(keys: Iterable<ObjectKey>): string[] {
    const waiting = Array.from(keys, (key) => this.#track(key)).filter(({ usable }) => !usable);
    return waiting.map(({ key, object }) => {
      const why =
        object === undefined ? 'it is not applied' : (existence(object)?.message ?? 'its state is unknown');
      return `${describe(key)} is not usable yet: ${why}`;
    });
  }

  #track(key: ObjectKey): Tracked {
    const id = keyString(key);
    const known = this.#tracked.get(id);
    if (known !== undefined) return known;
    const tracked = {
      key,
      object: undefined,
      usable: false,
      becomesUsable: Promise.withResolvers<undefined>(),
    };
    // Whoever waits is told; a failure that nobody waits for is no unhandled rejection.
    tracked.becomesUsable.promise.catch(() => undefined);
    this.#tracked.set(id, tracked);
    return tracked;
  }

  /** One watch for all awaited objects of a type: later ones are in it, since it is from an earlier version. */
  #follow({ group, kind }: ObjectKey, resourceVersion: string | undefined): void {
    const type = `${group}/${kind}`;
    if (this.#following.has(type)) return;
    this.#following.add(type);
    const waiting = (): Tracked[] =>
      [...this.#tracked.values()].filter(
        ({ key, object, usable }) =>
          key.group === group && key.kind === kind && object !== undefined && !usable,
      );
    void this.#followType(group, kind, waiting, resourceVersion)
      .catch((error: unknown) => {
        this.#failure = error instanceof Error ? error : new Error(String(error));
        for (const tracked of waiting()) tracked.becomesUsable.reject(error);
      })
      .finally(() => this.#following.delete(type));
  }

  async #followType(
    group: string,
    kind: string,
    waiting: () => Tracked[],
    resourceVersion: string | undefined,
  ): Promise<void> {
    const resource = await this.#cluster.discovery.resourceFor(group, kind);
    if (resource === undefined) throw new Error(`the cluster does not serve ${group}/${kind}`);
    await followObjects({
      client: this.#cluster.watcher,
      resource,
      names: () => waiting().map(({ key }) => key.name),
      seen: (_, object) => {
        if (object !== undefined) this.observe(object);
      },
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      signal: this.#stop.signal,
    });
  }

  /** A CRD says all there is to know of its type: no discovery request is needed to use it. */
  #learn(object: KubeObject): void {
    if (object.kind !== 'CustomResourceDefinition') return;
    for (const resource of crdResources(object)) this.#cluster.discovery.register(resource);
  }
}
