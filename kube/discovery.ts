import type { ServedGroups, ServedVersion } from './discoveryDocument.ts';
import { fetchServedGroups } from './discoveryFetch.ts';
import { KubeError } from './errors.ts';
import type { ApiResource } from './resource.ts';
import type { Transport } from './transport.ts';
import { compareVersions } from './versions.ts';

/** Whether a group serves a kind cannot be told now, since the server behind that group does not answer. */
export class DiscoveryIncomplete extends KubeError {
  override name = 'DiscoveryIncomplete';
  readonly group: string;

  constructor(group: string) {
    super(`API group ${group} is unavailable: what it serves is not known (see its APIService)`);
    this.group = group;
  }
}

export interface DiscoveryOptions {
  /** Milliseconds on a scale that never goes back. */
  now?: () => number;
  /** Kinds that are not found make it look again, at most this often. */
  missIntervalMs?: number;
}

interface Snapshot {
  groups: ServedGroups;
  /** When it was asked for, on the scale of #ticks: what happened since is not in it. */
  askedAt: number;
  fetchedAt: number;
}

/**
 * Which kinds an API server serves and where. Kept until a kind is missed; looking again is shared by all who miss one at
 * the same time and happens at most once per interval, so that an unknown kind is no storm of requests.
 */
export class Discovery {
  readonly #transport: Transport;
  readonly #now: () => number;
  readonly #missIntervalMs: number;
  readonly #registered = new Map<string, ApiResource>();
  readonly #invalidatedAt = new Map<string, number>();
  #allInvalidatedAt = 0;
  #ticks = 0;
  #snapshot: Snapshot | undefined;
  #fetching: { askedAt: number; result: Promise<Snapshot> } | undefined;

  constructor(
    transport: Transport,
    { now = () => performance.now(), missIntervalMs = 2_000 }: DiscoveryOptions = {},
  ) {
    this.#transport = transport;
    this.#now = now;
    this.#missIntervalMs = missIntervalMs;
  }

  /**
   * The resource of a kind, of the group's preferred version that has it where none is named. Undefined: not served.
   * Throws DiscoveryIncomplete where that cannot be told, and the transport's errors.
   */
  async resourceFor(group: string, kind: string, version?: string): Promise<ApiResource | undefined> {
    const registered = this.#registeredFor(group, kind, version);
    if (registered !== undefined) return registered;
    const validFrom = Math.max(this.#allInvalidatedAt, this.#invalidatedAt.get(group) ?? 0);
    let snapshot = await this.#since(validFrom);
    let found = find(snapshot, group, kind, version);
    if (found === undefined && this.#now() - snapshot.fetchedAt >= this.#missIntervalMs) {
      snapshot = await this.#fetch();
      found = find(snapshot, group, kind, version);
    }
    found ??= this.#registeredFor(group, kind, version);
    if (found === undefined && isStale(snapshot, group, version)) throw new DiscoveryIncomplete(group);
    return found;
  }

  /** Everything served, and the groups of which that cannot be told. */
  async all(): Promise<{ resources: ApiResource[]; incomplete: string[] }> {
    const validFrom = Math.max(this.#allInvalidatedAt, ...this.#invalidatedAt.values());
    const { groups } = await this.#since(validFrom);
    const known = Array.from(groups.values(), (versions) =>
      versions.flatMap(({ resources }) => resources),
    ).flat();
    const listed = new Set(known.map(registryKey));
    const learned = Array.from(this.#registered.values()).filter(
      (resource) => !listed.has(registryKey(resource)),
    );
    const incomplete = Array.from(groups).filter(([, versions]) => versions.some(({ stale }) => stale));
    return { resources: [...known, ...learned], incomplete: incomplete.map(([group]) => group) };
  }

  /** A resource learned from a CRD that was just applied: it counts until the API server lists it or its group is invalidated. */
  register(resource: ApiResource): void {
    this.#registered.set(registryKey(resource), resource);
  }

  /** Forgets a group (or all): the next question about it asks the API server. */
  invalidate(group?: string): void {
    const now = ++this.#ticks;
    if (group === undefined) this.#allInvalidatedAt = now;
    else this.#invalidatedAt.set(group, now);
    for (const [key, resource] of this.#registered) {
      if (group === undefined || resource.group === group) this.#registered.delete(key);
    }
  }

  /** A snapshot that was asked for at or after that moment. */
  async #since(validFrom: number): Promise<Snapshot> {
    if (this.#snapshot !== undefined && this.#snapshot.askedAt >= validFrom) return this.#snapshot;
    if (this.#fetching !== undefined && this.#fetching.askedAt >= validFrom)
      return await this.#fetching.result;
    return await this.#start();
  }

  async #fetch(): Promise<Snapshot> {
    return await (this.#fetching?.result ?? this.#start());
  }

  #start(): Promise<Snapshot> {
    const askedAt = ++this.#ticks;
    const result = fetchServedGroups(this.#transport).then((groups) =>
      this.#keep({ groups, askedAt, fetchedAt: this.#now() }),
    );
    const fetching = { askedAt, result };
    this.#fetching = fetching;
    const done = (): void => {
      if (this.#fetching === fetching) this.#fetching = undefined;
    };
    result.then(done, done);
    return result;
  }

  #keep(snapshot: Snapshot): Snapshot {
    if (this.#snapshot === undefined || this.#snapshot.askedAt < snapshot.askedAt) this.#snapshot = snapshot;
    for (const [key, { group, kind, version }] of this.#registered) {
      if (find(snapshot, group, kind, version) !== undefined) this.#registered.delete(key);
    }
    return snapshot;
  }

  #registeredFor(group: string, kind: string, version: string | undefined): ApiResource | undefined {
    const candidates = Array.from(this.#registered.values()).filter(
      (resource) =>
        resource.group === group &&
        resource.kind === kind &&
        (version === undefined || resource.version === version),
    );
    return candidates.sort((a, b) => compareVersions(a.version, b.version))[0];
  }
}

function registryKey({ group, version, kind }: ApiResource): string {
  return `${group}|${version}|${kind}`;
}

function versionsOf({ groups }: Snapshot, group: string, version: string | undefined): ServedVersion[] {
  return (groups.get(group) ?? []).filter((served) => version === undefined || served.version === version);
}

function find(
  snapshot: Snapshot,
  group: string,
  kind: string,
  version: string | undefined,
): ApiResource | undefined {
  for (const { resources } of versionsOf(snapshot, group, version)) {
    const found = resources.find((resource) => resource.kind === kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStale(snapshot: Snapshot, group: string, version: string | undefined): boolean {
  return versionsOf(snapshot, group, version).some(({ stale }) => stale);
}
