import { LRUCache } from 'lru-cache';
import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { RenderOwner } from '../../kube/renderSecrets.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Rendered } from '../render/rendered.ts';
import { RegistryError } from '../registry/errors.ts';
import { restoreRender } from '../render/restore.ts';
import { clearRenders } from './clear.ts';
import type { RenderStore } from './renderStore.ts';

const CACHE_CHARACTERS = 32 * 1024 * 1024;

/** The renders of Releases, with what this process knows of them: one that is kept already costs no request. */
export class Renders {
  readonly #store: RenderStore;
  readonly #client: KubeClient;
  /** By UID of the Release. */
  readonly #held = new Map<string, Set<string>>();
  readonly #loaded = new LRUCache<string, Rendered>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ bodies }) =>
      1 + Array.from(bodies.values()).reduce((sum, { text }) => sum + text.length, 0),
  });

  constructor(store: RenderStore, client: KubeClient) {
    this.#client = client;
    this.#store = store;
  }

  /** Keeps a render, unless it is kept. @throws RenderTooLarge, and what the API server says */
  async keep(owner: RenderOwner, { renderRef, packed }: Rendered): Promise<void> {
    const held = await this.#heldBy(owner);
    if (packed === undefined || held.has(renderRef)) return;
    await this.#store.put(owner, { renderRef, packed });
    held.add(renderRef);
  }

  /**
   * A render as it can be applied.
   * @throws RenderUnreadable
   */
  async load(cluster: TargetCluster, release: Release, renderRef: string): Promise<Rendered> {
    const id = `${release.metadata.uid ?? ''} ${renderRef}`;
    const loaded = this.#loaded.get(id);
    if (loaded !== undefined) return loaded;
    const text = await this.#store.get(release, renderRef);
    const rendered = await restoreRender(cluster, release, { renderRef, text });
    // What is not known yet may be soon.
    if (rendered.unknown.size === 0) this.#loaded.set(id, rendered);
    return rendered;
  }

  /** Digests of what is kept, as the store says now. */
  async held(owner: RenderOwner): Promise<string[]> {
    return await this.#store.held(owner);
  }

  /** Removes what need not be kept; where nothing is known to be too much, that costs no request. */
  async collect(owner: RenderOwner, keep: ReadonlySet<string>): Promise<void> {
    const held = await this.#heldBy(owner);
    const going = [...held].filter((renderRef) => !keep.has(renderRef));
    if (going.length === 0) return;
    await this.#store.collect(owner, keep);
    for (const renderRef of going) held.delete(renderRef);
  }

  /**
   * The Release goes: nothing of its renders is left in the cluster, and in a registry only what it does not let go.
   * @returns what is left there, and why
   */
  async clear(owner: RenderOwner): Promise<string | undefined> {
    this.#held.delete(owner.metadata.uid ?? '');
    await clearRenders(this.#client, owner);
    if (!this.#store.isOutside) return undefined;
    try {
      await this.#store.collect(owner, new Set());
      return undefined;
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      return error.message;
    }
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  async #heldBy(owner: RenderOwner): Promise<Set<string>> {
    const { uid = '' } = owner.metadata;
    const held = this.#held.get(uid) ?? new Set(await this.#store.held(owner));
    this.#held.set(uid, held);
    return held;
  }
}
