import type { KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { CONFIG_MAPS, SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { Scope } from '../../kube/listWatch.ts';
import type { Reflector, ReflectorFault } from '../../kube/reflector.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { versionReflector } from '../../kube/versionWatch.ts';
import { Halt } from '../release/halt.ts';

const RESOURCES = { ConfigMap: CONFIG_MAPS, Secret: SECRETS } as const;
type Kind = keyof typeof RESOURCES;

/** Objects of one kind in one namespace. */
interface Place extends Scope {
  kind: Kind;
}

interface Watch {
  readers: Set<string>;
  reflector: Reflector<KubeObject>;
  stop: AbortController;
  /** Rejects with the first fault: nobody waits for a list that is not allowed. */
  faulty: PromiseWithResolvers<never>;
}

/**
 * Watches the ConfigMaps and Secrets that Releases read from: a change reconciles at once (sources.md). Of each only its
 * resourceVersion is kept; Releases that read the same share one watch.
 */
export class SourceWatches {
  readonly #client: KubeClient;
  readonly #onChange: (release: string) => void;
  readonly #onFault: (fault: ReflectorFault) => void;
  readonly #watches = new Map<string, Watch>();
  readonly #byRelease = new Map<string, Set<string>>();

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
   * @throws Halt `SourceFailed` where they cannot be watched now; the reader is told when they can
   */
  async follow(key: string, release: Release, signal: AbortSignal): Promise<void> {
    const wanted = new Map(placesOf(release).map((place) => [JSON.stringify(place), place]));
    for (const id of this.#byRelease.get(key) ?? []) if (!wanted.has(id)) this.#leave(key, id);
    this.#byRelease.set(key, new Set(wanted.keys()));
    const watches = [...wanted].map(([id, place]) => this.#join(key, id, place));
    try {
      const ready = watches.map((watch) => Promise.race([watch.reflector.synced, watch.faulty.promise]));
      await unlessAborted(Promise.all(ready), signal);
    } catch (error) {
      signal.throwIfAborted();
      throw unwatchable(error);
    }
  }

  unfollow(key: string): void {
    for (const id of this.#byRelease.get(key) ?? []) this.#leave(key, id);
    this.#byRelease.delete(key);
  }

  #join(key: string, id: string, place: Place): Watch {
    const watch = this.#watches.get(id) ?? this.#open(id, place);
    watch.readers.add(key);
    return watch;
  }

  #leave(key: string, id: string): void {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
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

  #open(id: string, { kind, ...scope }: Place): Watch {
    const faulty = Promise.withResolvers<never>();
    const reflector = versionReflector(this.#client, RESOURCES[kind], scope, {
      onFault: (fault) => {
        this.#onFault(fault);
        faulty.reject(fault.error);
      },
      crowd: () => this.#watches.size,
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
  return new Halt(`what the source is read from cannot be watched: ${reason}`, {
    reason: 'SourceFailed',
    stage: 'Source',
    resume: 'retry',
    cause: error,
  });
}

/** What a Release reads its source and its variables from. */
function placesOf({ metadata, spec }: Release): Place[] {
  const { namespace = '' } = metadata;
  const named = (kind: Kind, name: string): Place => ({
    kind,
    namespace,
    fieldSelector: `metadata.name=${name}`,
  });
  const variables = (spec.content?.variablesFrom ?? []).map(({ kind, name }) => named(kind, name));
  const source = spec.source.configMap;
  if (source === undefined) return variables;
  if (source.name !== undefined) return [named('ConfigMap', source.name), ...variables];
  const labelSelector = labelSelectorText(source.selector ?? {});
  return [{ kind: 'ConfigMap', namespace, labelSelector }, ...variables];
}
