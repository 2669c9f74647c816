import { type Cluster, CONTACT_EVERY_MS } from '../../api/cluster.ts';
import { RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import { ConnectionError, isConflict, isNotFound } from '../../kube/errors.ts';
import { holdsCluster, type Shard } from '../../engine/shards/shard.ts';
import { listWatchOf } from '../../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../../kube/reflector.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { WorkQueue } from '../../kube/workQueue.ts';
import { actingFor } from '../actingFor.ts';
import { Halt } from '../release/halt.ts';
import type { Services } from '../services.ts';
import { writeStatus } from '../writeStatus.ts';
import { Connector, type ConnectorOptions } from './connector.ts';
import { holdCluster, releaseCluster } from './hold.ts';
import { findKubeconfig, type FoundKubeconfig } from './kubeconfig.ts';
import { Link } from './link.ts';
import type { Reach, Unreached } from './reach.ts';
import { clusterStatus } from './status.ts';
import { Users } from './users.ts';

/** Waits between attempts to reach a cluster (ms): one that comes back is found soon. */
const BACKOFF = { baseMs: 1_000, maxMs: 30_000 };
/** Clusters that are reached at once: one that does not answer holds a place for ten seconds. */
const CONCURRENCY = 16;

/**
 * The clusters that Releases are applied to: each Cluster with a kubeconfig has a connection, discovery and watches of its
 * own. One that cannot be reached, or goes away, is a status, and comes back by itself; no other one notices.
 */
export class Clusters {
  readonly #home: Services;
  readonly #connector: Connector;
  readonly #defaultServiceAccount: string | undefined;
  readonly #wakeRelease: (release: string) => void;
  readonly #clusters: Reflector<Cluster>;
  readonly #shard: Shard;
  readonly #users = new Users();
  readonly #links = new Map<string, Link>();
  readonly #queue: WorkQueue;

  constructor(
    home: Services,
    options: ConnectorOptions & { defaultServiceAccount: string | undefined; shard: Shard },
  ) {
    this.#home = home;
    this.#defaultServiceAccount = options.defaultServiceAccount;
    this.#wakeRelease = options.wake;
    this.#shard = options.shard;
    this.#connector = new Connector(home, options, (link, fault) => this.#faulty(link, fault));
    this.#queue = new WorkQueue({
      onHandlerError: (cluster, error) =>
        home.log.warn({ cluster, err: error }, 'a Cluster could not be looked after and is tried again'),
      backoff: BACKOFF,
    });
    this.#clusters = new Reflector<Cluster>(listWatchOf<Cluster>(home.home.client, RESOURCES.Cluster), {
      onFault: home.watchFault,
    });
    const changed = (cluster: Cluster): void => this.#queue.add(keyOf(cluster));
    this.#clusters.addHandler({
      onAdd: changed,
      onUpdate: (cluster, before) => {
        if (concerns(cluster, before)) changed(cluster);
        if (cluster.spec?.paused !== before.spec?.paused) this.#wake(keyOf(cluster));
      },
      onDelete: changed,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const watching = this.#clusters.run(signal);
    await this.#queue.run((key) => this.#lookAfter(key, signal), { concurrency: CONCURRENCY, signal });
    await this.#queue.shutDown();
    await watching;
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }

  /** Takes in which Cluster a Release is on, of other shards too: they may share a Secret. @param release `namespace/name` */
  learn(release: string, { metadata, spec }: Release): void {
    if (spec.clusterRef === undefined) return;
    const cluster = `${metadata.namespace ?? ''}/${spec.clusterRef.name}`;
    if (this.#users.add(cluster, release)) this.#queue.add(cluster);
  }

  /** The Release is gone. */
  forget(release: string): void {
    const cluster = this.#users.remove(release);
    if (cluster === undefined) return;
    const { observer, hookJobs } = this.#links.get(cluster)?.connection?.services ?? {};
    observer?.forget(release);
    hookJobs?.forgetRelease(release);
    this.#queue.add(cluster);
  }

  /** The Cluster of a Release asks its Releases to stand still. */
  async isPaused(release: Release, signal: AbortSignal): Promise<boolean> {
    return (await this.#clusterOf(release, signal))?.spec?.paused === true;
  }

  /**
   * What a reconcile of this Release works with, on the cluster that it is for, as whoever it acts as.
   * @throws Halt `ClusterUnavailable` where that cannot be reached; the Release is woken when it can
   * @throws ClusterGone where there is no way to it any more
   */
  async of(release: Release, signal: AbortSignal): Promise<Services> {
    return actingFor(release, await this.#connected(release, signal), this.#defaultServiceAccount);
  }

  async #connected(release: Release, signal: AbortSignal): Promise<Services> {
    const { clusterRef } = release.spec;
    if (clusterRef === undefined) return this.#home;
    const cluster = await this.#clusterOf(release, signal);
    if (cluster === undefined)
      throw new ClusterGone(
        `Cluster ${clusterRef.name} does not exist in namespace ${release.metadata.namespace ?? ''}`,
      );
    if (cluster.spec?.kubeconfig === undefined) return this.#home;
    const link = this.#linkOf(keyOf(cluster));
    await unlessAborted(link.known.promise, signal);
    if (link.reach?.reason === 'Connected' && link.connection !== undefined) return link.connection.services;
    const found = link.reach;
    const why =
      found === undefined || found.reason === 'Connected' ? 'it is being connected to' : found.message;
    const message = `Cluster ${clusterRef.name}: ${why}`;
    throw found?.reason === 'KubeconfigMissing' ? new ClusterGone(message) : unavailable(message);
  }

  async #clusterOf({ metadata, spec }: Release, signal: AbortSignal): Promise<Cluster | undefined> {
    if (spec.clusterRef === undefined) return undefined;
    if (!this.#clusters.hasSynced) await unlessAborted(this.#clusters.synced, signal);
    return this.#clusters.get(`${metadata.namespace ?? ''}/${spec.clusterRef.name}`);
  }

  /** One look at one Cluster: what holds it, how it is reached, and what its status says. */
  async #lookAfter(key: string, signal: AbortSignal): Promise<void> {
    if (!holdsCluster(this.#shard, key)) return;
    const cluster = this.#clusters.get(key);
    if (cluster === undefined) {
      await this.#drop(key);
      return;
    }
    try {
      const found = await this.#reconcile(cluster, signal);
      this.#schedule(key, found);
    } catch (error) {
      signal.throwIfAborted();
      // It changed since it was read: that is on the way here. What is gone is seen by the watch.
      if (isConflict(error)) this.#queue.addRateLimited(key);
      else if (!isNotFound(error)) throw error;
    }
  }

  async #reconcile(cluster: Cluster, signal: AbortSignal): Promise<Reach> {
    const { client } = this.#home.home;
    const key = keyOf(cluster);
    const link = this.#linkOf(key);
    const kubeconfig = await this.#kubeconfigOf(cluster, link, signal);
    const secret = kubeconfig !== undefined && 'secret' in kubeconfig ? kubeconfig.secret : undefined;
    const releases = this.#users.count(key);
    if (releases === 0)
      await releaseCluster(client, cluster, this.#sharesSecret(cluster) ? undefined : secret);
    else cluster = await holdCluster(client, cluster, secret);
    const found = await this.#connector.reach(link, kubeconfig, signal);
    if (releases > 0 || cluster.metadata.deletionTimestamp === undefined)
      await writeStatus(
        client,
        RESOURCES.Cluster,
        cluster,
        clusterStatus(cluster, found, releases, this.#home.now()),
      );
    this.#tell(key, link, found);
    return found;
  }

  /** Undefined for the cluster that the controller runs on. */
  async #kubeconfigOf(
    cluster: Cluster,
    link: Link,
    signal: AbortSignal,
  ): Promise<FoundKubeconfig | Unreached | undefined> {
    const { client } = this.#home.home;
    const ref = cluster.spec?.kubeconfig?.secretRef;
    if (ref === undefined) return undefined;
    link.follow(
      client,
      { namespace: cluster.metadata.namespace ?? '', name: ref.name },
      {
        change: () => this.#queue.add(keyOf(cluster)),
        fault: this.#home.watchFault,
        crowd: () => this.#links.size,
      },
    );
    return await findKubeconfig(client, cluster, signal);
  }

  /** A watch that broke may be the first sign that a cluster is gone: it is asked at once. */
  #faulty(link: Link, fault: ReflectorFault): void {
    this.#home.watchFault(fault);
    if (!(fault.error instanceof ConnectionError) || link.reach?.reason !== 'Connected') return;
    for (const [key, known] of this.#links) if (known === link) this.#queue.add(key);
  }

  /** Its Releases learn at once that they can be applied, or cannot any more. */
  #tell(key: string, link: Link, found: Reach): void {
    const before = link.reach;
    link.reach = found;
    link.known.resolve(undefined);
    if (before?.reason !== found.reason) this.#wake(key);
  }

  #wake(cluster: string): void {
    for (const release of this.#users.of(cluster)) this.#wakeRelease(release);
  }

  #schedule(key: string, { reason }: Reach): void {
    if (reason === 'Connected') {
      this.#queue.forget(key);
      this.#queue.addAfter(key, CONTACT_EVERY_MS);
    } else if (reason === 'Unreachable' || reason === 'AccessDenied') this.#queue.addRateLimited(key);
    // What is wrong with the Secret is mended there, and that is watched.
    else this.#queue.forget(key);
  }

  async #drop(key: string): Promise<void> {
    const link = this.#links.get(key);
    this.#links.delete(key);
    await link?.close();
    this.#wake(key);
  }

  #linkOf(key: string): Link {
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const link = new Link();
    this.#links.set(key, link);
    return link;
  }

  /** Another Cluster that is in use has the same Secret. */
  #sharesSecret(cluster: Cluster): boolean {
    const secretOf = ({ metadata, spec }: Cluster): string =>
      JSON.stringify([metadata.namespace, spec?.kubeconfig?.secretRef.name]);
    return this.#clusters
      .list()
      .some(
        (other) =>
          keyOf(other) !== keyOf(cluster) &&
          this.#users.count(keyOf(other)) > 0 &&
          secretOf(other) === secretOf(cluster),
      );
  }
}

/** There is no way to the cluster, and none comes back by itself: what was applied there cannot be reached. */
export class ClusterGone extends Halt {
  constructor(message: string) {
    super(message, { reason: 'ClusterUnavailable', stage: 'Cluster', resume: 'event' });
  }
}

function unavailable(message: string): Halt {
  return new Halt(message, { reason: 'ClusterUnavailable', stage: 'Cluster', resume: 'event' });
}

function keyOf({ metadata }: Cluster): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** A change of status alone is Convoy's own. */
function concerns({ metadata: now }: Cluster, { metadata: before }: Cluster): boolean {
  return (
    now.uid !== before.uid ||
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    JSON.stringify(now.finalizers) !== JSON.stringify(before.finalizers)
  );
}
