import type { KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { listWatchOf, type Scope } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { Halt } from '../release/halt.ts';
import { CONFIG_MAPS } from '../resources.ts';

interface Watch {
  readers: Set<string>;
  reflector: Reflector<KubeObject>;
  stop: AbortController;
  /** Rejects with the first fault: nobody waits for a list that is not allowed. */
  faulty: PromiseWithResolvers<never>;
}

/**
 * Watches the ConfigMaps that Releases read from: a change reconciles at once (sources.md). Of each only its
 * resourceVersion is kept; Releases that read the same share one watch.
 */
export class SourceWatches {
  readonly #client: KubeClient;
  readonly #onChange: (release: string) => void;
  readonly #onFault: (fault: ReflectorFault) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #byRelease = new Map<string, string>();

  constructor(
    client: KubeClient,
    on: { change: (release: string) => void; fault: (fault: ReflectorFault) => void },
  ) {
    this.#client = client;
    this.#onChange = on.change;
    this.#onFault = on.fault;
  }

  /**
   * Resolves when changes after this moment will be seen; a fetch then misses nothing.
   * @throws Halt `SourceFailed` where the ConfigMaps cannot be watched now; the reader is told when they can
   */
  async follow(key: string, release: Release, signal: AbortSignal): Promise<void> {
    const scope = scopeOf(release);
    const id = scope === undefined ? undefined : JSON.stringify(scope);
    if (this.#byRelease.get(key) !== id) this.unfollow(key);
    if (scope === undefined || id === undefined) return;
    this.#byRelease.set(key, id);
    const watch = this.#watches.get(id) ?? this.#open(id, scope);
    watch.readers.add(key);
    try {
      await unlessAborted(Promise.race([watch.reflector.synced, watch.faulty.promise]), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw unwatchable(error);
    }
  }

  unfollow(key: string): void {
    const id = this.#byRelease.get(key);
    this.#byRelease.delete(key);
    const watch = id === undefined ? undefined : this.#watches.get(id);
    if (id === undefined || watch === undefined) return;
    watch.readers.delete(key);
    if (watch.readers.size > 0) return;
    watch.stop.abort();
    this.#watches.delete(id);
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.stop.abort();
    this.#watches.clear();
    this.#byRelease.clear();
  }

  #open(id: string, scope: Scope): Watch {
    const faulty = Promise.withResolvers<never>();
    const reflector = new Reflector<KubeObject>(listWatchOf(this.#client, CONFIG_MAPS, scope), {
      onFault: (fault) => {
        this.#onFault(fault);
        faulty.reject(fault.error);
      },
      transform: versionOnly,
    });
    const watch: Watch = { readers: new Set(), reflector, stop: new AbortController(), faulty };
    const tellReaders = (): void => {
      for (const key of watch.readers) this.#onChange(key);
    };
    const changed = (): void => {
      // The first list tells the state that the reader is about to fetch.
      if (reflector.hasSynced) tellReaders();
    };
    reflector.addHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
    this.#watches.set(id, watch);
    const stopped = (): void => undefined;
    // Readers do not wait once it was faulty, so they are told when it works.
    faulty.promise.catch(() => reflector.synced.then(tellReaders, stopped));
    void reflector.run(watch.stop.signal);
    return watch;
  }
}

function unwatchable(error: unknown): Halt {
  const reason = error instanceof Error ? error.message : String(error);
  return new Halt(`the source ConfigMaps cannot be watched: ${reason}`, {
    reason: 'SourceFailed',
    stage: 'Source',
    resume: 'retry',
    cause: error,
  });
}

function scopeOf(release: Release): Scope | undefined {
  const source = release.spec.source.configMap;
  const { namespace = '' } = release.metadata;
  if (source === undefined) return undefined;
  if (source.name !== undefined) return { namespace, fieldSelector: `metadata.name=${source.name}` };
  return { namespace, labelSelector: labelSelectorText(source.selector ?? {}) };
}

function versionOnly({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace = '', uid = '', resourceVersion = '' } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } };
}
