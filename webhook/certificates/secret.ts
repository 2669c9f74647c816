import type { KubeObject } from '../../api/object.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { storeKey } from '../../kube/store.ts';

export const SECRETS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'create', 'patch'],
};

export interface Secret extends KubeObject {
  data?: Record<string, string>;
}

export interface SecretWatchOptions {
  client: KubeClient;
  secret: Required<ObjectName>;
  onFault: (fault: ReflectorFault) => void;
  /** The Secret is known for the first time, or has changed, or is gone. */
  onChange: () => void;
}

/** One Secret by a watch. */
export class SecretWatch {
  readonly #options: SecretWatchOptions;
  readonly #secrets: Reflector<Secret>;

  constructor(options: SecretWatchOptions) {
    this.#options = options;
    const { client, secret, onFault, onChange } = options;
    this.#secrets = new Reflector(
      listWatchOf<Secret>(client, SECRETS, {
        namespace: secret.namespace,
        fieldSelector: `metadata.name=${secret.name}`,
      }),
      { onFault },
    );
    this.#secrets.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  }

  /** Whether it is known if the Secret is there. */
  get isKnown(): boolean {
    return this.#secrets.hasSynced;
  }

  /** As last seen; undefined where there is none. */
  get current(): Secret | undefined {
    return this.#secrets.get(storeKey(this.#options.secret));
  }

  async run(signal: AbortSignal): Promise<void> {
    void this.#secrets.synced.then(this.#options.onChange, () => undefined);
    await this.#secrets.run(signal);
  }
}
