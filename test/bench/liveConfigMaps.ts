import { RELEASE_LABEL } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import { storeKey } from '../../kube/store.ts';

/** The ConfigMaps that Convoy applies, as a watch shows them. */
export class LiveConfigMaps {
  readonly #client: KubeClient;
  readonly #stop = new AbortController();
  readonly #reflector: Reflector<KubeObject>;
  #seen: (object: KubeObject) => void = () => undefined;

  private constructor(client: KubeClient) {
    this.#client = client;
    this.#reflector = new Reflector(listWatchOf(client, CONFIG_MAPS, { labelSelector: RELEASE_LABEL }), {
      onFault: ({ error }) => {
        throw error;
      },
    });
    const seen = (object: KubeObject): void => this.#seen(object);
    this.#reflector.addHandler({ onAdd: seen, onUpdate: seen });
  }

  static async follow(client: KubeClient): Promise<LiveConfigMaps> {
    const live = new LiveConfigMaps(client);
    void live.#reflector.run(live.#stop.signal);
    await live.#reflector.synced;
    return live;
  }

  stop(): void {
    this.#stop.abort();
  }

  any(): KubeObject {
    const all = this.#reflector.list();
    const one = all[Math.floor(Math.random() * all.length)];
    if (one === undefined) throw new Error('there is no ConfigMap of Convoy');
    return one;
  }

  /** Edits or deletes an object, and waits until it is as it was. @returns milliseconds from the answer to that */
  async spoil(object: KubeObject, how: 'edit' | 'delete'): Promise<number> {
    const { name, namespace = '', uid } = this.#current(object).metadata;
    const wanted = JSON.stringify(object['data']);
    const right = Promise.withResolvers<number>();
    let wasWrong = false;
    this.#seen = (seen) => {
      if (seen.metadata.name !== name || seen.metadata.namespace !== namespace) return;
      const isRight = JSON.stringify(seen['data']) === wanted;
      wasWrong ||= !isRight || seen.metadata.uid !== uid;
      if (wasWrong && isRight) right.resolve(performance.now());
    };
    const at = { name, namespace };
    if (how === 'delete') await this.#client.delete(CONFIG_MAPS, at);
    else await this.#client.patch(CONFIG_MAPS, at, { type: 'merge', patch: { data: { key: 'spoilt' } } });
    const done = performance.now();
    return Math.max(0, (await right.promise) - done);
  }

  /** Edits what Convoy does not own. */
  async touch({ metadata: { name, namespace = '' } }: KubeObject): Promise<void> {
    const patch = { metadata: { annotations: { 'example.com/touched': String(Math.random()) } } };
    await this.#client.patch(CONFIG_MAPS, { name, namespace }, { type: 'merge', patch });
  }

  #current({ metadata: { name, namespace = '' } }: KubeObject): KubeObject {
    const object = this.#reflector.get(storeKey({ name, namespace }));
    if (object === undefined) throw new Error(`ConfigMap ${name} in ${namespace} is not there`);
    return object;
  }
}
