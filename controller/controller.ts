import { FINALIZER } from '../api/annotations.ts';
import { RESOURCES } from '../api/group.ts';
import type { KubeObject } from '../api/object.ts';
import type { Release } from '../api/release.ts';
import { holdsRelease, holdsTheRest, type Shard } from '../engine/shards/shard.ts';
import { isConflict } from '../kube/errors.ts';
import type { Fence } from '../kube/lease/term.ts';
import { listWatchOf } from '../kube/listWatch.ts';
import { Reflector, type ReflectorFault } from '../kube/reflector.ts';
import { WorkQueue } from '../kube/workQueue.ts';
import { ClusterWaves } from './clusterWaves/clusterWaves.ts';
import type { TargetCluster } from './cluster.ts';
import { Clusters } from './clusters/clusters.ts';
import { RuleCatalogue } from './health/ruleCatalogue.ts';
import { RuleSetStatuses } from './health/ruleSetStatuses.ts';
import { HookJobs } from './hooks/hookJobs.ts';
import { findAbandoned, type InventoryOwner, removeAbandoned } from './inventory/abandoned.ts';
import { watchForEdits } from './inventory/edits.ts';
import { KnownInventories } from './inventory/known.ts';
import { LatestReleases } from './latest.ts';
import type { Metrics } from './metrics.ts';
import type { Log } from './log.ts';
import { Observer } from './observer/observer.ts';
import type { News, TrackedObject } from './observer/trackedObject.ts';
import { warnOfFight } from './observer/warnOfFight.ts';
import type { Next } from './release/next.ts';
import { reconcile } from './release/reconcile.ts';
import { Wakeups } from './release/wakeups.ts';
import { releaseKey, type Services } from './services.ts';
import { SourceWatches } from './source/watches.ts';

/** Waits between attempts that failed: long enough to hurt nobody, short enough to heal soon (ms). */
const BACKOFF = { baseMs: 200, maxMs: 120_000 };

/** A message alone opens no gate, so that several become one status; a fight is slowed down (ms). */
const NEWS_DELAY_MS: Readonly<Record<News | 'fight', number>> = {
  drift: 0,
  state: 0,
  message: 1_000,
  fight: 1_000,
};

/** The share of a place in the queue that a Release takes whose render is small: when hundreds become due at once, all begin. */
const LIGHT_WEIGHT = 1 / 32;

export interface ControllerOptions {
  allowLoopbackClusters: boolean;
  /** What Releases that name no ServiceAccount act as; undefined: as Convoy itself. */
  defaultServiceAccount: string | undefined;
  /** Releases of other shards are none of its business. */
  shard: Shard;
  fence: Fence;
}

/**
 * Keeps Releases applied: what concerns a Release puts its key in the queue, and each key is reconciled by one worker
 * at a time. Nothing is polled.
 */
export class Controller {
  readonly #services: Services;
  readonly #queue: WorkQueue;
  readonly #releases: Reflector<Release>;
  readonly #inventories: Reflector<KubeObject>;
  readonly #ruleSets: RuleSetStatuses;
  readonly #clusters: Clusters;
  readonly #shard: Shard;
  /** Releases that it looks after. */
  #held = 0;
  /** By UID, those that are gone and may have left an inventory behind. */
  readonly #gone = new Map<string, InventoryOwner>();
  readonly #latest = new LatestReleases();
  /** Releases whose render was small when last seen. */
  readonly #light = new Set<string>();
  /** Ends the reconcile that is at work on a Release. */
  readonly #running = new Map<string, AbortController>();

  constructor(
    base: Pick<
      Services,
      'home' | 'transport' | 'renderer' | 'renders' | 'events' | 'metrics' | 'log' | 'now'
    >,
    { allowLoopbackClusters, defaultServiceAccount, shard, fence }: ControllerOptions,
  ) {
    const { log, metrics, home } = base;
    this.#shard = shard;
    this.#queue = createQueue(log, metrics);
    const wake = (key: string): void => this.#queue.add(key);
    const fault = ({ during, error }: ReflectorFault): void => {
      metrics.watchFaults.inc({ during });
      log.warn({ during, err: error }, 'a list or watch ended in an error; it is begun again');
    };
    this.#releases = new Reflector<Release>(listWatchOf<Release>(home.client, RESOURCES.Release), {
      onFault: fault,
    });
    const rules = new RuleCatalogue({
      client: home.client,
      onFault: fault,
      onChange: wake,
      onRuleSet: (name) => {
        // They are of the whole cluster, and the business of whoever is there for that.
        if (holdsTheRest(shard) && home.onlyNamespace === undefined) this.#ruleSets.add(name);
      },
    });
    this.#ruleSets = new RuleSetStatuses({
      client: home.client,
      find: (name) => rules.find(name),
      now: base.now,
      log,
    });
    const observe = (target: TargetCluster, onFault: (fault: ReflectorFault) => void): Observer =>
      new Observer({
        ...target,
        now: base.now,
        rulesOf: (owner) => rules.rulesOf(owner),
        onNews: (news, object) => this.#objectNews(news, object),
        onFault,
        onMissed: (type, objects) => {
          metrics.missedEvents.inc(objects);
          log.warn({ cluster: target.name, type, objects }, 'a watch has missed changes; all is listed anew');
        },
      });
    this.#inventories = watchForEdits(home.client, (owner) => this.#inventoryNews(owner), fault);
    this.#services = {
      ...base,
      inventories: new KnownInventories(this.#inventories),
      watchFault: fault,
      rules,
      clusterWaves: new ClusterWaves((key, delayMs) => this.#queue.addAfter(key, delayMs)),
      wakeups: new Wakeups(wake, log),
      hookJobs: new HookJobs(home.client, { change: wake, fault }),
      sources: new SourceWatches(home.client, { change: wake, fault }),
      target: home,
      sourceReader: home.client,
      actsAs: undefined,
      observer: observe(home, fault),
    };
    this.#clusters = new Clusters(this.#services, {
      allowLoopback: allowLoopbackClusters,
      defaultServiceAccount,
      shard,
      fence,
      observe,
      wake,
    });
    this.#enqueueChanges();
  }

  /** The first list of Releases is complete. */
  get ready(): boolean {
    return this.#releases.hasSynced;
  }

  /** Works until the signal aborts, then ends the reconciles at work. */
  async run(concurrency: number, signal: AbortSignal): Promise<void> {
    const watching = [
      this.#releases.run(signal),
      this.#inventories.run(signal),
      this.#services.rules.run(signal),
      this.#ruleSets.run(signal),
      this.#clusters.run(signal),
    ];
    const lookingBack = holdsTheRest(this.#shard) ? this.#findAbandoned(signal) : undefined;
    const weightOf = (key: string): number => (this.#light.has(key) ? LIGHT_WEIGHT : 1);
    await this.#queue.run((key) => this.#reconcile(key, signal), { concurrency, weightOf, signal });
    await this.#queue.shutDown();
    this.#services.wakeups.stop();
    this.#services.hookJobs.stop();
    this.#services.sources.stop();
    this.#services.observer.stop();
    await Promise.all([...watching, lookingBack]);
    await this.#services.events.flush();
    await this.#services.renders.close();
  }

  #enqueueChanges(): void {
    const holds = (release: Release): boolean => holdsRelease(this.#shard, release);
    this.#releases.addHandler({
      onAdd: (release) => {
        this.#clusters.learn(releaseKey(release), release);
        if (holds(release)) this.#add(release);
      },
      onUpdate: (release, previous) => {
        this.#clusters.learn(releaseKey(release), release);
        // Of one name on another cluster: a Release that was deleted and created again, unseen in between.
        if (holds(previous) && !holds(release)) this.#remove(previous);
        else if (!holds(previous) && holds(release)) this.#add(release);
        else if (holds(release)) this.#change(release, previous);
      },
      onDelete: (release) => {
        this.#clusters.forget(releaseKey(release));
        if (holds(release)) this.#remove(release);
      },
    });
  }

  #add(release: Release): void {
    this.#count(1);
    this.#learn(release);
    this.#queue.add(releaseKey(release));
  }

  #change(release: Release, previous: Release): void {
    const key = releaseKey(release);
    this.#learn(release);
    if (supersedes(release, previous)) this.#running.get(key)?.abort();
    if (concerns(release, previous)) this.#queue.add(key);
  }

  #remove(release: Release): void {
    const key = releaseKey(release);
    this.#count(-1);
    this.#services.rules.forget(key);
    this.#services.clusterWaves.forget(key);
    this.#forget({ ...named(release), uid: release.metadata.uid ?? '' });
  }

  #learn(release: Release): void {
    this.#services.rules.learn(releaseKey(release), release);
    this.#services.clusterWaves.learn(releaseKey(release), release);
  }

  #count(change: number): void {
    this.#held += change;
    this.#services.metrics.releases.set(this.#held);
  }

  #objectNews(news: News | 'fight', object: TrackedObject): void {
    this.#queue.addAfter(object.release, NEWS_DELAY_MS[news]);
    const release = this.#releases.get(object.release);
    // In manual mode nothing is put right, so that nobody fights.
    if (news === 'fight' && release !== undefined && !isManual(release))
      warnOfFight(this.#services, release, object);
  }

  /** A Release that is on its way out deletes its inventory itself. */
  #inventoryNews({ namespace, name, uid }: InventoryOwner): void {
    const release = this.#releases.get(`${namespace}/${name}`);
    if (release?.metadata.uid !== uid || release.metadata.deletionTimestamp !== undefined) return;
    if (!holdsRelease(this.#shard, release)) return;
    this.#queue.add(releaseKey(release));
  }

  /** In the queue, so that no reconcile of it is at work then. */
  #forget(release: InventoryOwner): void {
    this.#gone.set(release.uid, release);
    this.#queue.add(`${release.namespace}/${release.name}`);
  }

  /** What went while no controller was there to see it. */
  async #findAbandoned(signal: AbortSignal): Promise<void> {
    const { home, log } = this.#services;
    try {
      await this.#releases.synced;
      const known = new Set(this.#releases.list().map(({ metadata }) => metadata.uid));
      for (const gone of await findAbandoned(home.client, (uid) => known.has(uid))) this.#forget(gone);
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'inventories of Releases that are gone were not looked for');
    }
  }

  async #cleanUp(key: string): Promise<void> {
    const { home, log, wakeups, hookJobs, sources, observer, inventories, metrics } = this.#services;
    const gone = [...this.#gone.values()].filter(({ namespace, name }) => `${namespace}/${name}` === key);
    for (const release of gone) {
      wakeups.clear(key);
      hookJobs.forgetRelease(key);
      sources.unfollow(key);
      observer.forget(key);
      inventories.forget(release.uid);
      metrics.drifted(key, 0);
      const shards = await removeAbandoned(home.client, release);
      if (shards > 0)
        log.warn({ release: key, shards }, 'gone without its finalizer: what it had applied is left behind');
      this.#gone.delete(release.uid);
    }
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<void> {
    await this.#cleanUp(key);
    const release = this.#latest.of(key, this.#releases.get(key));
    if (release === undefined || !holdsRelease(this.#shard, release)) {
      this.#light.delete(key);
      return;
    }
    const { reconciles } = this.#services.metrics;
    const superseded = new AbortController();
    this.#running.set(key, superseded);
    const run = AbortSignal.any([signal, superseded.signal]);
    try {
      const next = await reconcile(this.#services, this.#clusters, release, run);
      reconciles.inc({ result: next.retry ? 'failed' : 'done' });
      if (next.isLight === true) this.#light.add(key);
      else if (next.isLight === false) this.#light.delete(key);
      if (next.release !== undefined) this.#latest.written(key, next.release);
      this.#schedule(key, next);
    } catch (error) {
      // The change that superseded it has made it due again.
      if (run.aborted) return;
      reconciles.inc({ result: 'error' });
      // The Release changed since it was read: its watch event is on the way and makes it due again.
      if (!isConflict(error)) throw error;
      this.#queue.addRateLimited(key);
    } finally {
      this.#running.delete(key);
    }
  }

  #schedule(key: string, { retry, afterMs, lookInMs }: Next): void {
    if (!retry) this.#queue.forget(key);
    else if (afterMs === undefined) this.#queue.addRateLimited(key);
    if (afterMs !== undefined) this.#queue.addAfter(key, afterMs);
    if (lookInMs !== undefined) this.#queue.addAfter(key, lookInMs);
  }
}

/** What a reconcile works for is no longer wanted: it ends, and does not hold up what is (edge case 41). */
function supersedes({ metadata: now }: Release, { metadata: before }: Release): boolean {
  const isGoing = now.deletionTimestamp !== undefined && before.deletionTimestamp === undefined;
  return isGoing || now.uid !== before.uid || now.generation !== before.generation;
}

/** A change of status alone is Convoy's own and concerns nobody. */
function concerns(release: Release, previous: Release): boolean {
  const [now, before] = [release.metadata, previous.metadata];
  return (
    now.uid !== before.uid ||
    now.generation !== before.generation ||
    now.deletionTimestamp !== before.deletionTimestamp ||
    (isHeld(previous) && !isHeld(release)) ||
    JSON.stringify(now.annotations) !== JSON.stringify(before.annotations)
  );
}

function isManual({ spec }: Release): boolean {
  return spec.syncPolicy?.mode === 'Manual';
}

function isHeld({ metadata }: Release): boolean {
  return metadata.finalizers?.includes(FINALIZER) ?? false;
}

function named({ metadata }: Release): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name };
}

function createQueue(log: Log, metrics: Metrics): WorkQueue {
  return new WorkQueue({
    onHandlerError: (key, error) =>
      log.error({ release: key, err: error }, 'the reconcile ended in an error and is tried again'),
    groupOf: (key) => key.slice(0, key.indexOf('/')),
    backoff: BACKOFF,
    hooks: metrics.queue,
  });
}
