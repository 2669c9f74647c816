import pLimit from 'p-limit';
import { RELEASE_LABEL } from '../../api/annotations.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { groupOf, keyOf, keyString, type KubeObject, type ObjectKey, versionOf } from '../../api/object.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { OwnRule } from '../../engine/health/assess.ts';
import { ofRecord } from '../../engine/waves/recorded.ts';
import { Budget } from '../../kube/budget.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { Discovery } from '../../kube/discovery.ts';
import { systemClock } from '../../kube/clock.ts';
import { DelayQueue } from '../../kube/delayQueue.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { Scope } from '../../kube/listWatch.ts';
import type { ReflectorFault } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { unlessAborted } from '../../kube/unlessAborted.ts';
import { labelledOwner, labelsOf } from '../../api/ownership.ts';
import { type Comparison, Followed } from './followed.ts';
import { KindFactsCache } from './kindFacts.ts';
import type { Judging, Observed } from './observed.ts';
import { Rejudgement } from './rejudge.ts';
import { type News, type SentApply, TrackedObject } from './trackedObject.ts';
import { TypeWatch } from './typeWatch.ts';

const CHECKED_AT_ONCE = 2;

export interface ObserverOptions {
  client: KubeClient;
  discovery: Discovery;
  now: () => Date;
  /** Health rules of a Release, which is named as labels name it. */
  rulesOf: (owner: string) => readonly OwnRule[];
  /** Something happened to an object of a Release; `fight`: it is edited again and again. */
  onNews: (news: News | 'fight', object: TrackedObject) => void;
  onFault: (fault: ReflectorFault) => void;
  /** A watch has not told of so many objects of a type; it is begun anew. */
  onMissed: (type: string, objects: number) => void;
}

/**
 * Watches what Releases have applied on one cluster: one watch per type, a few fields of each object (health.md,
 * "Observer"). It knows which objects need no apply, how healthy each is, and tells a Release of news.
 */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #facts: KindFactsCache;
  readonly #watches = new Map<string, TypeWatch>();
  /** By key, one for each Release that follows the object: mostly one. */
  readonly #objects = new Map<string, TrackedObject[]>();
  /** Objects that a Release leaves as they are (`Once`) and that have no label of Convoy, each watched by itself. */
  readonly #alone = new Map<string, TypeWatch>();
  readonly #byRelease = new Map<string, Set<string>>();
  /** Edits that are put right at once: two writers who fight over a field must not drown the API server. */
  readonly #atOnce = new Budget({ burst: 100, perMinute: 60 }, 10_000);
  /** Steps of health rules that take many, by namespace: half a second of one core, then some milliseconds in each. */
  readonly #ruleSteps = new Budget({ burst: 1_000_000, perMinute: 1_200_000 }, 10_000);
  /** Objects whose health time alone may change. */
  readonly #rechecks = new DelayQueue(systemClock, (id) => this.#recheck(id));

  /** Checks are in no hurry, and many types may be due at once. */
  readonly #lists = pLimit(CHECKED_AT_ONCE);

  readonly #rejudgement = new Rejudgement({
    all: () => [...this.#objects.values()].flat(),
    isOutdated: (tracked) => tracked.isJudgedByOther(this.#ruleFor(tracked)),
    watchOf: ({ key, apiVersion }) => this.#watches.get(typeOf({ apiVersion, kind: key.kind })),
    judged: (observed) => this.#news(observed, (tracked) => tracked.lookedAt(observed, this.#now())),
    look: (tracked) => this.#look(tracked),
  });

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#facts = new KindFactsCache(options.client);
  }

  /**
   * Makes these the objects that a Release is told of, and waits until news of their types arrive, so that what is there
   * before an apply is known. Types that the cluster does not serve are watched from the first apply on.
   * @param known what the inventory knows of their health
   */
  async follow(
    release: string,
    objects: readonly PlannedObject[],
    known: (key: ObjectKey) => InventoryEntry | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const watches = await this.#watchTypes(release, objects);
    await Promise.all(watches.map((watch) => watch.ready(signal)));
    const wanted = new Set(objects.map(({ key }) => keyString(key)));
    const before = this.#byRelease.get(release) ?? new Set();
    for (const id of before) if (!wanted.has(id)) this.#drop(id, release);
    this.#byRelease.set(release, wanted);
    for (const planned of objects) this.#track(release, planned, known(planned.key)?.health);
    this.#closeUnused(release, objects);
    await unlessAborted(this.#rejudgement.bring(this.#followedBy(release)), signal);
  }

  /** The Release is gone. */
  forget(release: string): void {
    for (const id of this.#byRelease.get(release) ?? []) this.#drop(id, release);
    this.#byRelease.delete(release);
    this.#closeUnused(release, []);
  }

  /**
   * Makes sure, behind the caller's back, that the watches of a Release have missed nothing, one list for each type; not sooner
   * than `everyMs` after the last time, whichever Release asked then.
   */
  check(release: string, everyMs: number): void {
    for (const watch of this.#watches.values())
      if (watch.releases.has(release)) void this.#lists(() => watch.check(everyMs));
  }

  /** All objects of the Release are to be applied again, whatever is known of them. */
  doubt(release: string): void {
    for (const id of this.#byRelease.get(release) ?? []) this.#find(id, release)?.doubt();
  }

  /** What is known of the objects that a Release follows. */
  of(release: string): Followed {
    return new Followed({
      find: (key) => this.#find(keyString(key), release),
      applied: (tracked, resource, object, sent) => this.#applied(tracked, resource, object, sent),
      compared: (tracked, comparison, sent) => this.#compared(tracked, comparison, sent),
      isWatched: ({ key, object }) =>
        (this.#alone.get(keyString(key)) ?? this.#watches.get(typeOf(object)))?.isLive === true,
    });
  }

  stop(): void {
    this.#rechecks.clear();
    for (const watch of [...this.#watches.values(), ...this.#alone.values()]) watch.stop();
    this.#watches.clear();
    this.#alone.clear();
  }

  async #watchTypes(release: string, objects: readonly PlannedObject[]): Promise<TypeWatch[]> {
    const { resources } = await this.#options.discovery.all();
    const served = new Map(
      resources.map((resource) => [`${resource.group}/${resource.version}/${resource.kind}`, resource]),
    );
    const types = new Set(objects.map(({ object }) => typeOf(object)));
    return [...types].flatMap((type) => {
      const resource = served.get(type);
      return resource === undefined ? [] : [this.#watch(resource, release)];
    });
  }

  #watch(resource: ApiResource, release: string): TypeWatch {
    const type = `${resource.group}/${resource.version}/${resource.kind}`;
    const watch = this.#watches.get(type) ?? this.#open(resource);
    this.#watches.set(type, watch);
    watch.releases.add(release);
    return watch;
  }

  #open(resource: ApiResource, scope?: Scope): TypeWatch {
    const { client, now, onFault, onMissed } = this.#options;
    const hooks = {
      seen: (observed: Observed) =>
        this.#news(observed, (tracked) => tracked.seen(observed, now().getTime())),
      gone: (last: Observed, wasSeen: boolean) => this.#gone(last, wasSeen),
      fault: onFault,
      missed: (objects: number) => onMissed(resource.kind, objects),
      facts: () => this.#facts.of(resource),
      rules: (object: KubeObject) => this.#rulesFor(object),
      now,
    };
    return new TypeWatch(client, resource, hooks, scope);
  }

  /** What has no label is in no watch of a type. */
  #watchAlone(id: string, resource: ApiResource, { metadata }: KubeObject): void {
    const isLabelled = metadata.labels?.[RELEASE_LABEL] !== undefined;
    if (isLabelled) this.#closeAlone(id);
    if (isLabelled || this.#alone.has(id)) return;
    const { name, namespace } = metadata;
    const scope = {
      fieldSelector: `metadata.name=${name}`,
      ...(namespace === undefined ? {} : { namespace }),
    };
    this.#alone.set(id, this.#open(resource, scope));
  }

  #closeAlone(id: string): void {
    this.#alone.get(id)?.stop();
    this.#alone.delete(id);
  }

  #closeUnused(release: string, objects: readonly PlannedObject[]): void {
    const used = new Set(objects.map(({ object }) => typeOf(object)));
    for (const [type, watch] of this.#watches) {
      if (used.has(type) || !watch.releases.delete(release) || watch.releases.size > 0) continue;
      watch.stop();
      this.#watches.delete(type);
    }
  }

  #track(release: string, { key, object }: PlannedObject, health: InventoryEntry['health']): void {
    const id = keyString(key);
    const { apiVersion } = object;
    const known = this.#find(id, release);
    if (known !== undefined) {
      known.apiVersion = apiVersion;
      return;
    }
    const tracked = new TrackedObject({ key, release, apiVersion }, health && ofRecord(health));
    this.#objects.set(id, [...(this.#objects.get(id) ?? []), tracked]);
    const live = this.#watches.get(typeOf(object))?.get(key);
    if (live !== undefined) tracked.seen(live, this.#now());
    this.#recheckLater(tracked);
  }

  /** The Release whose rules count for an object: the one that its labels name, else one that follows it. */
  #ownerOf(object: KubeObject): string {
    const [follower] = this.#objects.get(keyString(keyOf(object))) ?? [];
    return labelledOwner(object) || labelsOf(follower?.release ?? '');
  }

  #rulesFor(object: KubeObject): Pick<Judging, 'rules' | 'share'> {
    const owner = this.#ownerOf(object);
    const namespace = owner.slice(0, owner.indexOf('/'));
    const share = {
      isUsedUp: () => !this.#ruleSteps.has(namespace, this.#now()),
      use: (steps: number) => {
        if (steps > 0) this.#ruleSteps.spend(namespace, this.#now(), steps);
      },
    };
    return { rules: this.#options.rulesOf(owner), share };
  }

  #ruleFor({ key, apiVersion, owner, release }: TrackedObject): OwnRule | undefined {
    const { kind, name, namespace } = key;
    const rules = this.#options.rulesOf(owner || labelsOf(release));
    return rules.find((rule) => rule.isFor({ apiVersion, kind, metadata: { name, namespace } }));
  }

  #followedBy(release: string): TrackedObject[] {
    const ids = [...(this.#byRelease.get(release) ?? [])];
    return ids.map((id) => this.#find(id, release)).filter((tracked) => tracked !== undefined);
  }

  #find(id: string, release: string): TrackedObject | undefined {
    return this.#objects.get(id)?.find((tracked) => tracked.release === release);
  }

  #drop(id: string, release: string): void {
    const others = (this.#objects.get(id) ?? []).filter((tracked) => tracked.release !== release);
    if (others.length > 0) {
      this.#objects.set(id, others);
      return;
    }
    this.#objects.delete(id);
    this.#closeAlone(id);
  }

  async #applied(
    tracked: TrackedObject,
    resource: ApiResource,
    object: KubeObject,
    sent: SentApply,
  ): Promise<void> {
    if (object.kind === 'CustomResourceDefinition') this.#facts.learn(object);
    const observed = await this.#watch(resource, tracked.release).judge(object);
    this.#watchAlone(keyString(tracked.key), resource, object);
    this.#tell(tracked, tracked.applied(observed, sent, this.#now()));
  }

  async #compared(tracked: TrackedObject, { live, difference }: Comparison, sent: SentApply): Promise<void> {
    const observed = live && (await this.#watch(live.resource, tracked.release).judge(live.object));
    if (live !== undefined) this.#watchAlone(keyString(tracked.key), live.resource, live.object);
    this.#tell(tracked, tracked.compared(observed, sent, difference, this.#now()));
  }

  #gone(last: Observed, wasSeen: boolean): void {
    if (wasSeen) this.#news(last, (tracked) => tracked.gone(last.metadata.resourceVersion, this.#now()));
    else for (const tracked of this.#followersOf(last)) void this.#look(tracked);
  }

  #news(observed: Observed, take: (tracked: TrackedObject) => News | undefined): void {
    for (const tracked of this.#followersOf(observed)) this.#tell(tracked, take(tracked));
  }

  /** The watch of one version of a kind tells of all objects of the kind, those of other versions too. */
  #followersOf(observed: Observed): TrackedObject[] {
    const all = this.#objects.get(keyString(keyOf(observed))) ?? [];
    return all.filter(({ apiVersion }) => apiVersion === observed.apiVersion);
  }

  #tell(tracked: TrackedObject, news: News | undefined): void {
    this.#recheckLater(tracked);
    if (news === undefined) return;
    const isFight = news === 'drift' && !this.#atOnce.take(idOf(tracked), this.#now());
    this.#options.onNews(isFight ? 'fight' : news, tracked);
  }

  #recheckLater(tracked: TrackedObject): void {
    const { recheckAt } = tracked;
    if (recheckAt !== undefined) this.#rechecks.add(idOf(tracked), Math.max(1, recheckAt - this.#now()));
  }

  /** Time alone may have changed what an object means. */
  #recheck(id: string): void {
    const [release = '', key = ''] = id.split(' ', 2);
    const tracked = this.#find(key, release);
    if (tracked?.recheckAt === undefined) return;
    if (tracked.recheckAt > this.#now()) {
      this.#recheckLater(tracked);
      return;
    }
    const news = tracked.confirmPending(this.#now());
    if (news === undefined) void this.#look(tracked);
    else this.#tell(tracked, news);
  }

  async #look(tracked: TrackedObject): Promise<void> {
    const { applies, key, release, apiVersion } = tracked;
    try {
      const observed = await this.#read(key, apiVersion);
      // What an apply did meanwhile is newer.
      if (this.#find(keyString(key), release) !== tracked || tracked.applies !== applies) return;
      const now = this.#now();
      this.#tell(
        tracked,
        observed === undefined ? tracked.gone(undefined, now) : tracked.lookedAt(observed, now),
      );
    } catch (error) {
      this.#options.onFault({ during: 'watch', error });
      // The reconcile looks closer.
      tracked.doubt();
      this.#options.onNews('message', tracked);
    }
  }

  /** @returns undefined where it is not there */
  async #read(key: ObjectKey, apiVersion: string): Promise<Observed | undefined> {
    const watch = this.#watches.get(typeOf({ apiVersion, kind: key.kind }));
    if (watch === undefined) return undefined;
    try {
      return await watch.judge(await this.#options.client.get(watch.resource, key));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #now(): number {
    return this.#options.now().getTime();
  }
}

/** One string for an object and who follows it; no part can hold the space. */
function idOf({ release, key }: TrackedObject): string {
  return `${release} ${keyString(key)}`;
}

function typeOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${groupOf(apiVersion)}/${versionOf(apiVersion)}/${kind}`;
}
