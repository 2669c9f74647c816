import { RELEASE_LABEL } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import type { KindFacts } from '../../engine/health/subject.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf, type Scope } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { storeKey } from '../../kube/store.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { type Judging, observe, type Observed } from './observed.ts';

export interface TypeWatchHooks {
  seen: (observed: Observed) => void;
  /** @param wasSeen false where the deletion was missed and `last` is the last state that was seen */
  gone: (last: Observed, wasSeen: boolean) => void;
  fault: (fault: ReflectorFault) => void;
  /** So many objects had changed without an event, and are listed anew. */
  missed: (objects: number) => void;
  /** What is known of the kind as such. */
  facts: () => Promise<KindFacts>;
  /** Rules of the Release that an object belongs to, and what they may cost. */
  rules: (object: KubeObject) => Pick<Judging, 'rules' | 'share'>;
  now: () => Date;
}

/** One watch for all objects of a type that carry Convoy's label, whatever Release they belong to; or for those of a scope. */
export class TypeWatch {
  readonly resource: ApiResource;
  /** Releases that have objects of this type. */
  readonly releases = new Set<string>();
  readonly #client: KubeClient;
  readonly #hooks: TypeWatchHooks;
  readonly #reflector: Reflector<KubeObject>;
  readonly #stop = new AbortController();
  readonly #faulty = Promise.withResolvers<never>();
  #facts: KindFacts = {};
  #isFaulty = false;
  /** When it was last known that nothing was missed, milliseconds of the epoch. */
  #checkedAt: number;

  constructor(
    client: KubeClient,
    resource: ApiResource,
    hooks: TypeWatchHooks,
    scope: Scope = { labelSelector: RELEASE_LABEL },
  ) {
    this.resource = resource;
    this.#client = client;
    this.#hooks = hooks;
    this.#checkedAt = hooks.now().getTime();
    this.#reflector = new Reflector<KubeObject>(listWatchOf(client, resource, scope), {
      onFault: (fault) => this.#fault(fault),
      transform: (object) => this.#observe(object),
    });
    this.#reflector.addHandler({
      onAdd: (object) => hooks.seen(object as Observed),
      onUpdate: (object) => hooks.seen(object as Observed),
      onDelete: (object, wasSeen) => hooks.gone(object as Observed, wasSeen),
    });
    this.#faulty.promise.catch(() => undefined);
    void this.#run();
  }

  /** News arrive. */
  get isLive(): boolean {
    return this.#reflector.isFollowing;
  }

  /** Waits for the first list, but not where it has failed: whoever may not watch has to do without. */
  async ready(signal: AbortSignal): Promise<void> {
    if (this.#isFaulty || this.isLive) return;
    const first = Promise.race([this.#reflector.synced, this.#faulty.promise]);
    await unlessAborted(first, signal).catch(() => signal.throwIfAborted());
  }

  /**
   * Makes sure that no event was missed, where that was last done so long ago (health.md, "Observer").
   * @param everyMs the shortest of its Releases' intervals counts, since each of them asks
   */
  async check(everyMs: number): Promise<void> {
    const now = this.#hooks.now().getTime();
    if (!this.isLive || now < this.#checkedAt + everyMs) return;
    this.#checkedAt = now;
    try {
      const missed = await this.#reflector.verify(this.#stop.signal);
      if (missed > 0) this.#hooks.missed(missed);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#hooks.fault({ during: 'list', error });
    }
  }

  /** What is there of an object, as far as the watch knows. */
  get(object: { namespace: string; name: string }): Observed | undefined {
    return this.#reflector.get(storeKey(object)) as Observed | undefined;
  }

  /** Judges an object that came otherwise than by the watch. */
  async judge(object: KubeObject): Promise<Observed> {
    await this.#learn();
    return this.#observe(object);
  }

  /**
   * Judges objects again, since the rules for them are others now: whole objects are not kept, so that they are listed.
   * @param labelSelector which
   */
  async rejudge(labelSelector: string): Promise<Observed[]> {
    await this.#learn();
    const { items } = await this.#client.listAll(this.resource, { labelSelector });
    return items.map((object) => this.#observe(object));
  }

  stop(): void {
    this.#stop.abort();
  }

  #observe(object: KubeObject): Observed {
    const { now, rules } = this.#hooks;
    return observe(object, { now: now(), facts: this.#facts, ...rules(object) });
  }

  async #run(): Promise<void> {
    try {
      await this.#learn();
    } catch (error) {
      this.#fault({ during: 'list', error });
    }
    await this.#reflector.run(this.#stop.signal);
  }

  async #learn(): Promise<KindFacts> {
    this.#facts = await this.#hooks.facts();
    return this.#facts;
  }

  #fault(fault: ReflectorFault): void {
    this.#isFaulty = true;
    this.#faulty.reject(fault.error);
    this.#hooks.fault(fault);
  }
}
