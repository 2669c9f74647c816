import { RESOURCES } from '../api/group.ts';
import { labelValue } from '../api/labelValue.ts';
import type { KubeObject } from '../api/object.ts';
import type { Mutation, Release } from '../api/release.ts';
import type { KubeClient } from '../kube/client.ts';
import { listWatchOf } from '../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../kube/reflector.ts';

/** What the webhook keeps of a Release: a source may be a megabyte. */
interface KnownRelease extends KubeObject {
  mutations: readonly Mutation[];
  /** Name of its Cluster; undefined: the one that the controller runs on. */
  cluster: string | undefined;
}

/** All Releases by a watch, so that no request has to ask the API server. */
export class ReleaseCache {
  readonly #reflector: Reflector<KubeObject>;
  /** By what labels name a Release by. */
  readonly #byLabels = new Map<string, KnownRelease>();

  constructor(client: KubeClient, onFault: (fault: ReflectorFault) => void) {
    this.#reflector = new Reflector<KubeObject>(listWatchOf(client, RESOURCES.Release), {
      onFault,
      transform: (release) => known(release as Release),
    });
    this.#reflector.addHandler({
      onAdd: (release) => this.#byLabels.set(labelsOf(release), release as KnownRelease),
      onUpdate: (release) => this.#byLabels.set(labelsOf(release), release as KnownRelease),
      onDelete: (release) => this.#byLabels.delete(labelsOf(release)),
    });
  }

  /** The first list is complete: what is not here is not there. */
  get ready(): boolean {
    return this.#reflector.hasSynced;
  }

  get size(): number {
    return this.#byLabels.size;
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#reflector.run(signal);
  }

  /** @returns the Release that labels with these values name */
  byLabels(namespace: string, name: string): KnownRelease | undefined {
    return this.#byLabels.get(`${namespace}/${name}`);
  }

  /** Names of the Releases on a Cluster, but for those that are on their way out. */
  onCluster(namespace: string, cluster: string): string[] {
    return [...this.#byLabels.values()]
      .filter(({ metadata, cluster: own }) => metadata.namespace === namespace && own === cluster)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
      .sort();
  }
}

function known({ apiVersion, kind, metadata, spec }: Release): KnownRelease {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    mutations: (spec.mutations ?? []).filter(({ type }) => type === 'syncWave'),
    cluster: spec.clusterRef?.name,
  };
}

function labelsOf({ metadata }: KubeObject): string {
  return `${labelValue(metadata.namespace ?? '')}/${labelValue(metadata.name)}`;
}
