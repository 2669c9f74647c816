import pMap from 'p-map';
import { RELEASE_LABEL } from '../../api/annotations.ts';
import { API_VERSION, RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { CONFIG_MAPS } from '../../kube/builtIn.ts';
import type { KubeClient, Patch } from '../../kube/client.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { isOlderVersion } from '../../kube/resourceVersion.ts';

const RELEASES = 6;
const OBJECTS_PER_TYPE = 8;
/** What each object is to have, as its Release says. */
const VALUE = 'example.com/value';
/** Far beyond the bar, and short of for ever (ms). */
const TOO_LONG_MS = 120_000;
const SPOIL: Patch = { type: 'merge', patch: { metadata: { annotations: { [VALUE]: 'spoilt' } } } };
/** Every so many-th is a deletion. */
const DELETED = 3;

const core = (kind: string, plural: string): ApiResource => ({ ...CONFIG_MAPS, kind, plural });
const TYPES: readonly ApiResource[] = [
  CONFIG_MAPS,
  core('Secret', 'secrets'),
  core('ServiceAccount', 'serviceaccounts'),
];

/** When something was asked for and when it was so, on performance.now(). */
export interface PutRight {
  askedAt: number;
  rightAt: number;
}

interface Place {
  type: ApiResource;
  release: number;
  name: string;
}

/** Releases of objects of several types that somebody else edits and deletes, and that change themselves. */
export class SpoiltReleases {
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #stop = new AbortController();
  readonly #versions: number[] = Array.from({ length: RELEASES }, () => 0);
  readonly #live: Map<ApiResource, Reflector<KubeObject>>;
  readonly #running: Promise<unknown>;
  readonly #looks = new Set<() => void>();
  readonly #sending = new Set<Promise<unknown>>();
  #turn: number;

  private constructor(client: KubeClient, namespace: string, seed: number) {
    this.#client = client;
    this.#namespace = namespace;
    this.#turn = seed % 1_000;
    const look = (): void => {
      for (const one of this.#looks) one();
    };
    this.#live = new Map(
      TYPES.map((type) => {
        const scope = { namespace, labelSelector: RELEASE_LABEL };
        const live = new Reflector(listWatchOf(client, type, scope), {
          // Its own watches are cut with the API server; what they miss, they tell later.
          onFault: () => undefined,
          backoff: { baseMs: 20, maxMs: 200 },
        });
        live.addHandler({ onAdd: look, onUpdate: look, onDelete: look });
        return [type, live] as const;
      }),
    );
    this.#running = Promise.all([...this.#live.values()].map((live) => live.run(this.#stop.signal)));
  }

  /** Resolves when all of them are applied. */
  static async create(client: KubeClient, namespace: string, seed: number): Promise<SpoiltReleases> {
    const releases = new SpoiltReleases(client, namespace, seed);
    await Promise.all([...releases.#live.values()].map(({ synced }) => synced));
    await pMap(releases.#versions.keys(), (release) => releases.#create(release));
    await releases.#until(() => releases.#places().every((place) => releases.#isRight(place)));
    return releases;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Edits or deletes the next object, and waits until it is as wanted. */
  async spoilAny(): Promise<PutRight> {
    const places = this.#places();
    // Steps through all of them in an order that looks like none.
    this.#turn += 37;
    const place = places[this.#turn % places.length];
    if (place === undefined) throw new Error('there is no object');
    const at = { namespace: this.#namespace, name: place.name };
    const before = this.#find(place)?.metadata.uid;
    const isDeletion = this.#turn % DELETED === 0;
    const spoilt = await this.#send(() =>
      isDeletion ? this.#client.delete(place.type, at) : this.#client.patch(place.type, at, SPOIL),
    );
    const askedAt = performance.now();
    await this.#until(() => {
      const { uid, resourceVersion } = this.#find(place)?.metadata ?? {};
      // Watches may be behind: what they have told before is right, and tells nothing of this.
      const isSince = isDeletion
        ? uid !== before
        : isOlderVersion(spoilt?.metadata.resourceVersion, resourceVersion);
      return isSince && this.#isRight(place);
    });
    return { askedAt, rightAt: performance.now() };
  }

  /** Gives all objects of the next Release another value, and waits until they have it. */
  async changeAny(): Promise<PutRight> {
    this.#turn += 37;
    const release = this.#turn % RELEASES;
    this.#versions[release] = (this.#versions[release] ?? 0) + 1;
    const patch = { spec: { source: { inline: this.#source(release) } } };
    const at = { namespace: this.#namespace, name: `app-${release}` };
    await this.#send(() => this.#client.patch(RESOURCES.Release, at, { type: 'merge', patch }));
    const askedAt = performance.now();
    const own = this.#places().filter((place) => place.release === release);
    await this.#until(() => own.every((place) => this.#isRight(place)));
    return { askedAt, rightAt: performance.now() };
  }

  /** What was asked of the API server is answered. */
  async sent(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /** What is not as wanted, as the API server tells it now. */
  async wrong(): Promise<string[]> {
    const lists = await pMap(TYPES, async (type) => {
      const scope = { namespace: this.#namespace, labelSelector: RELEASE_LABEL };
      const { items } = await this.#client.listAll(type, scope);
      return items.map((object) => [idOf(type, object.metadata.name), valueOf(object)] as const);
    });
    const live = new Map(lists.flat());
    const wanted = new Map(
      this.#places().map(({ type, name, release }) => [idOf(type, name), this.#wanted(release)]),
    );
    return [...new Set([...live.keys(), ...wanted.keys()])]
      .filter((id) => live.get(id) !== wanted.get(id))
      .map((id) => `${id} is ${live.get(id) ?? 'absent'}, not ${wanted.get(id) ?? 'absent'}`);
  }

  async #create(release: number): Promise<void> {
    await this.#client.create(RESOURCES.Release, {
      apiVersion: API_VERSION,
      kind: 'Release',
      metadata: { name: `app-${release}`, namespace: this.#namespace },
      spec: { source: { inline: this.#source(release) }, interval: '24h', healthAssessment: {} },
    });
  }

  async #send<T>(request: () => Promise<T>): Promise<T> {
    const answer = request();
    this.#sending.add(answer);
    return await answer.finally(() => this.#sending.delete(answer));
  }

  #places(): Place[] {
    return this.#versions.flatMap((_, release) =>
      TYPES.flatMap((type) =>
        Array.from({ length: OBJECTS_PER_TYPE }, (__, index) => ({
          type,
          release,
          name: `app-${release}-${index}`,
        })),
      ),
    );
  }

  #source(release: number): string {
    return this.#places()
      .filter((place) => place.release === release)
      .map(({ type, name }) =>
        JSON.stringify({
          apiVersion: 'v1',
          kind: type.kind,
          metadata: { name, annotations: { [VALUE]: this.#wanted(release) } },
        }),
      )
      .join('\n---\n');
  }

  #wanted(release: number): string {
    return `v${this.#versions[release] ?? 0}`;
  }

  #find({ type, name }: Place): KubeObject | undefined {
    return this.#live.get(type)?.get(`${this.#namespace}/${name}`);
  }

  #isRight(place: Place): boolean {
    const object = this.#find(place);
    return object !== undefined && valueOf(object) === this.#wanted(place.release);
  }

  /** Looks each time that something is told. */
  async #until(holds: () => boolean): Promise<void> {
    const reached = Promise.withResolvers<undefined>();
    const look = (): void => {
      if (holds()) reached.resolve(undefined);
    };
    const late = setTimeout(
      () => reached.reject(new Error(`not as wanted within ${TOO_LONG_MS / 1000} s`)),
      TOO_LONG_MS,
    );
    this.#looks.add(look);
    look();
    await reached.promise.finally(() => {
      clearTimeout(late);
      this.#looks.delete(look);
    });
  }
}

function idOf({ kind }: ApiResource, name: string): string {
  return `${kind} ${name}`;
}

function valueOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[VALUE] ?? '';
}
