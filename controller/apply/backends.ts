import { describe, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { ENDPOINT_SLICES } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';

interface Slice {
  endpoints?: { conditions?: { ready?: boolean } }[] | null;
}

interface Watched {
  isReady: boolean;
  becomesReady: PromiseWithResolvers<undefined>;
}

/** Follows whether Services have a ready endpoint, from the first time that somebody asks. */
export class Backends {
  readonly #client: KubeClient;
  readonly #onFault: (fault: ReflectorFault) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #stop = new AbortController();

  constructor(client: KubeClient, onFault: (fault: ReflectorFault) => void) {
    this.#client = client;
    this.#onFault = onFault;
  }

  /** Ends the watches. */
  close(): void {
    this.#stop.abort();
  }

  /** Resolves when each Service has a ready endpoint; rejects when the signal aborts. */
  async ready(services: readonly ObjectKey[], signal: AbortSignal): Promise<void> {
    const ready = services.map((service) => this.#watch(service).becomesReady.promise);
    await unlessAborted(Promise.all(ready), signal);
  }

  /** What a person needs to know of those that are not ready. */
  explain(services: readonly ObjectKey[]): string[] {
    return services
      .filter((service) => !this.#watch(service).isReady)
      .map((service) => `${describe(service)} has no ready endpoint`);
  }

  #watch(service: ObjectKey): Watched {
    const id = keyString(service);
    const known = this.#watched.get(id);
    if (known !== undefined) return known;
    const watched: Watched = { isReady: false, becomesReady: Promise.withResolvers<undefined>() };
    this.#watched.set(id, watched);
    const { namespace, name } = service;
    const scope = { namespace, labelSelector: `kubernetes.io/service-name=${name}` };
    const reflector = new Reflector<KubeObject>(listWatchOf(this.#client, ENDPOINT_SLICES, scope), {
      onFault: this.#onFault,
    });
    const look = (): void => {
      watched.isReady = reflector.list().some(hasReadyEndpoint);
      if (watched.isReady) watched.becomesReady.resolve(undefined);
    };
    reflector.addHandler({ onAdd: look, onUpdate: look, onDelete: look });
    void reflector.run(this.#stop.signal);
    return watched;
  }
}

/** An endpoint that does not say whether it is ready is (discovery.k8s.io/v1). */
function hasReadyEndpoint(slice: KubeObject): boolean {
  const { endpoints } = slice as Slice;
  return (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false);
}
