import { RESOURCES } from '../../api/group.ts';
import { keyOf, keyString, type KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { KubeClient } from '../../kube/client.ts';
import { connect, loadConfig } from '../../kube/config.ts';
import { crdResources } from '../../kube/crdResources.ts';
import { Discovery } from '../../kube/discovery.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { Transport } from '../../kube/transport.ts';
import { isTrue } from '../controlplane/conditions.ts';
import { byKind, type Kind } from './shop.ts';

export interface Seen {
  /** An object of the example is there, or has changed. */
  object: (object: KubeObject, isNew: boolean) => void;
  release: (release: Release) => void;
  fault: (error: unknown) => void;
}

/** Watches the Release and each object of the example: it sees what the API server says, not what Convoy says. */
export class Observer {
  readonly #transport: Transport;
  readonly #client: KubeClient;
  readonly #seen: Seen;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];

  private constructor(transport: Transport, seen: Seen) {
    this.#transport = transport;
    this.#client = new KubeClient(transport);
    this.#seen = seen;
  }

  /** Resolves when every watch of a kind that is served has begun. */
  static async start(kubeconfig: string, objects: readonly KubeObject[], seen: Seen): Promise<Observer> {
    const transport = connect(await loadConfig({ kubeconfig }), { userAgent: 'convoy-demo' });
    const observer = new Observer(transport, seen);
    const discovery = new Discovery(transport);
    const kinds = byKind(objects);
    const own = objects.flatMap(crdResources);
    const served = kinds.filter(
      ({ group, kind }) => !own.some((of) => of.group === group && of.kind === kind),
    );
    const watches = served.map(async (kind) => {
      const resource = await discovery.resourceFor(kind.group, kind.kind);
      if (resource === undefined) throw new Error(`the API server does not serve ${kind.kind} ${kind.group}`);
      await observer.#watchKind(resource, kind, (object) => observer.#watchInstances(object, kinds));
    });
    await Promise.all([
      observer.#watch(RESOURCES.Release, (release) => seen.release(release as Release)),
      ...watches,
    ]);
    return observer;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
    await this.#transport.close();
  }

  /** The types of a CRD are watched once it is established. */
  #watchInstances(object: KubeObject, kinds: readonly Kind[]): void {
    if (!isEstablished(object)) return;
    const [resource] = crdResources(object);
    const kind = kinds.find((kind) => kind.group === resource?.group && kind.kind === resource.kind);
    if (resource === undefined || kind === undefined || kind.isWatched) return;
    kind.isWatched = true;
    this.#watchKind(resource, kind, () => undefined).catch(this.#seen.fault);
  }

  #watchKind(resource: ApiResource, { keys }: Kind, also: (object: KubeObject) => void): Promise<unknown> {
    return this.#watch(resource, (object, isNew) => {
      if (!keys.has(keyString(keyOf(object)))) return;
      this.#seen.object(object, isNew);
      also(object);
    });
  }

  #watch(resource: ApiResource, told: (object: KubeObject, isNew: boolean) => void): Promise<unknown> {
    const reflector = new Reflector(listWatchOf(this.#client, resource), {
      onFault: ({ error }) => this.#seen.fault(error),
    });
    reflector.addHandler({
      onAdd: (object) => told(object, true),
      onUpdate: (object) => told(object, false),
    });
    this.#running.push(reflector.run(this.#stop.signal));
    return reflector.synced;
  }
}

function isEstablished(object: KubeObject): boolean {
  if (object.kind !== 'CustomResourceDefinition') return false;
  return isTrue(object, 'Established');
}
