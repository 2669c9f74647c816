import pLimit from 'p-limit';
import pMap from 'p-map';
import { keyString, type ObjectKey } from '../../api/object.ts';
import {
  objectsOfWave,
  type PlannedObject,
  type PlannedStage,
  type PlannedWave,
} from '../../engine/plan/plan.ts';
import { isDefinition } from '../../engine/render/types.ts';
import { gateOf } from '../../engine/waves/gate.ts';
import { nameUnhealthy } from '../../engine/waves/message.ts';
import { awaitedBy } from '../../engine/waves/stages.ts';
import { LONGEST_TIMER_MS } from '../../kube/clock.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Followed } from '../observer/followed.ts';
import type { SentApply } from '../observer/trackedObject.ts';
import type { Body } from '../render/job.ts';
import { Halt, heals } from '../release/halt.ts';
import type { Backends } from './backends.ts';
import { CONCURRENCY } from './concurrency.ts';
import type { Existence } from './existence.ts';
import { type Gatekeeper, lookAgainAt } from './gate.ts';
import { type Problem, problemLines, problemOf } from './problem.ts';
import { sendObject } from './updatePolicy.ts';

/** CRDs in flight that no object of the render waits for. */
const CONCURRENT_DEFINITIONS = 2;
/**
 * How long what is missing is awaited in place, when all else of the wave is applied (ms). A CRD and a Namespace come as
 * soon as the API server gets to them; an APIService takes as long as its backend.
 */
const BRIEF_WAIT_MS = 60_000;
const BRIEF_WAIT_FOR_BACKEND_MS = 10_000;
/** How long CRDs have the API server to themselves, which takes them into use the slower the more it has to do (ms). */
const HEAD_START_MS = 5_000;

export interface ApplyTarget {
  cluster: TargetCluster;
  observer: Followed;
  renderRef: string;
  /** By keyString. */
  bodies: ReadonlyMap<string, Body>;
  inventory: Inventory;
  keeper: Gatekeeper;
  /** Stages of the wave wait for the health of those before them, at the render's first apply. */
  isStaged: (wave: PlannedWave) => boolean;
  /** A late object is applied although nothing answers for it: its time is over. */
  onWithoutBackend: (planned: PlannedObject) => void;
  signal: AbortSignal;
  /** Called for each object that is as the render wants it. */
  onApplied: (how: 'created' | 'configured' | 'unchanged') => void;
}

/** An object that is not applied in this pass. */
export interface Held {
  planned: PlannedObject;
  /** For whose health it waits; absent: for what it cannot exist without, or for Services. */
  why?: string;
  /** Services that have to answer first. */
  services?: readonly ObjectKey[];
  /** When it is to be looked at again whatever happens, milliseconds of the epoch. */
  dueAt?: number;
}

/**
 * One pass over one wave. Stages are applied in their order, each concurrently inside. Two kinds of objects are not
 * waited for by the stages after them, so that nothing waits long for what it does not need: CRDs, beyond their head
 * start, and objects whose own CRD, APIService or Namespace is not usable yet; these follow as soon as it is.
 */
export class WavePass {
  readonly #target: ApplyTarget;
  readonly #existence: Existence;
  readonly #backends: Backends;
  readonly #stageLimit = pLimit(CONCURRENCY);
  /** Those that waited do not queue up behind the stage that is being applied meanwhile. */
  readonly #followerLimit = pLimit(CONCURRENCY);
  readonly #problems: Problem[] = [];
  readonly #held = new Map<PlannedObject, Held>();
  readonly #followers: Promise<void>[] = [];
  readonly #definitions: Promise<void>[] = [];
  readonly #giveUp = new AbortController();
  /** How long late objects wait for Services, where the wave's gate says so; else as long as their own sync-timeout. */
  #limitMs: number | undefined;

  constructor(target: ApplyTarget, { existence, backends }: { existence: Existence; backends: Backends }) {
    this.#target = target;
    this.#existence = existence;
    this.#backends = backends;
  }

  /**
   * @returns the objects that still wait, and for what
   * @throws Halt with every problem of the stage that failed; later stages are not begun then
   */
  async apply(wave: PlannedWave): Promise<Held[]> {
    const isStaged = this.#target.isStaged(wave);
    this.#limitMs = gateOf(objectsOfWave(wave))?.limitMs;
    if (!isStaged) this.#followUp(instancesOf(wave));
    try {
      for (const stage of wave.stages.filter(({ name }) => isStaged || name !== 'Instances')) {
        await this.#applyStage(isStaged ? await this.#admitted(stage, wave) : stage.objects);
        if (this.#problems.length > 0) break;
      }
      await this.#settle();
    } finally {
      this.#giveUp.abort();
      await Promise.all(this.#followers);
    }
    this.#target.signal.throwIfAborted();
    if (this.#problems.length > 0) throw applyFailure(this.#problems);
    return [...this.#held.values()];
  }

  async #applyStage(objects: readonly PlannedObject[]): Promise<void> {
    const [now, later] = partition(objects, (planned) => this.#isDue(planned));
    this.#followUp(later);
    const [crds, others] = partition(now, ({ object }) => isDefinition(object));
    const inUse = this.#applyDefinitions(crds);
    this.#definitions.push(inUse);
    await within(inUse, HEAD_START_MS);
    await Promise.all(others.map((planned) => this.#stageLimit(() => this.#apply(planned))));
  }

  /** Objects of a stage that do not wait for the health of those before them; the others are held. */
  async #admitted(stage: PlannedStage, wave: PlannedWave): Promise<readonly PlannedObject[]> {
    const awaited = awaitedBy(stage.name, wave);
    if (awaited.length === 0) return stage.objects;
    await this.#settle();
    const { keeper } = this.#target;
    const unhealthy = awaited.filter(({ key }) => keeper.healthOf(key)?.state !== 'Healthy');
    if (unhealthy.length === 0) return stage.objects;
    const [known, fresh] = partition(stage.objects, ({ key }) => keeper.wasApplied(key));
    const why = nameUnhealthy(unhealthy.map(({ key }) => ({ key, health: keeper.healthOf(key) })));
    const dueAt = lookAgainAt(keeper, unhealthy);
    for (const planned of fresh) this.#held.set(planned, { planned, why: `until healthy: ${why}`, dueAt });
    return known;
  }

  /** All that is on its way is applied, or has been waited for as long as that is done in place. */
  async #settle(): Promise<void> {
    await Promise.all(this.#definitions);
    if (this.#problems.length > 0) return;
    const all = Promise.all(this.#followers);
    await within(all, BRIEF_WAIT_FOR_BACKEND_MS);
    const missing = [...this.#held.keys()]
      .flatMap(({ needs }) => needs)
      .filter((key) => !this.#existence.isUsable(key));
    if (missing.some(({ kind }) => kind !== 'APIService'))
      await within(all, BRIEF_WAIT_MS - BRIEF_WAIT_FOR_BACKEND_MS);
  }

  /** Applies each object when what it waits for is there. */
  #followUp(objects: readonly PlannedObject[]): void {
    for (const planned of objects) this.#followers.push(this.#follow(planned));
  }

  async #follow(planned: PlannedObject): Promise<void> {
    const { keeper, signal, onWithoutBackend } = this.#target;
    const until = keeper.startedAt(planned.wave) + (this.#limitMs ?? planned.timeoutMs);
    const services = keeper.wasApplied(planned.key) ? [] : planned.backends;
    this.#held.set(planned, {
      planned,
      services,
      ...(services.length === 0 ? {} : { dueAt: until }),
    });
    const either = AbortSignal.any([signal, this.#giveUp.signal]);
    try {
      await this.#existence.usable(planned.needs, either);
      const answers = this.#backends.ready(services, either);
      const isAnswered = await within(answers, Math.max(0, until - keeper.now()));
      if (!isAnswered && services.length > 0) onWithoutBackend(planned);
    } catch (error) {
      if (!either.aborted) this.#problems.push(problemOf(planned.key, error));
      return;
    }
    this.#held.delete(planned);
    await this.#followerLimit(() => this.#apply(planned));
  }

  /**
   * An API server takes CRDs into use one after another, the longer the larger they are. So those that have instances
   * go first, the smallest first, each when the one before it is served: sent all at once, every instance would wait
   * for the slowest. The others follow.
   */
  async #applyDefinitions(crds: PlannedObject[]): Promise<void> {
    const size = ({ key }: PlannedObject): number =>
      this.#target.bodies.get(keyString(key))?.text.length ?? 0;
    const sorted = crds.sort((a, b) => size(a) - size(b));
    const [needed, others] = partition(sorted, ({ key }) => this.#existence.isNeeded(key));
    for (const crd of needed) {
      await this.#apply(crd);
      if (this.#problems.length > 0) return;
      await within(this.#untilUsable(crd), BRIEF_WAIT_FOR_BACKEND_MS);
    }
    await pMap(others, (crd) => this.#apply(crd), { concurrency: CONCURRENT_DEFINITIONS });
  }

  async #untilUsable({ key }: PlannedObject): Promise<void> {
    const signal = AbortSignal.any([this.#target.signal, this.#giveUp.signal]);
    await this.#existence.usable([key], signal).catch((error: unknown) => {
      // Who needs it finds the same error, and names the object.
      if (!signal.aborted) this.#problems.push(problemOf(key, error));
    });
  }

  #isDue({ key, needs, backends }: PlannedObject): boolean {
    const isAnswered = backends.length === 0 || this.#target.keeper.wasApplied(key);
    return isAnswered && needs.every((need) => this.#existence.isUsable(need));
  }

  /** Sends what differs or is in doubt; all else costs no request (health.md, "Observer"). */
  async #apply(planned: PlannedObject): Promise<void> {
    const { bodies, renderRef, observer, onApplied } = this.#target;
    const { text = '', digest = '' } = bodies.get(keyString(planned.key)) ?? {};
    const sent = { digest, renderRef, isOnce: planned.updatePolicy === 'Once' };
    if (this.#target.inventory.get(planned.key)?.purged === true) {
      onApplied('unchanged');
      return;
    }
    if (this.#isAsWanted(planned, digest)) {
      observer.confirm(planned.key, sent);
      this.#existence.assume(planned.key);
      onApplied('unchanged');
      return;
    }
    await this.#send(planned, text, sent);
  }

  /** What others cannot exist without is sent again where it is not known to be usable. */
  #isAsWanted(planned: PlannedObject, digest: string): boolean {
    const { observer, renderRef } = this.#target;
    if (!observer.isWatched(planned) || !observer.isUnchanged(planned.key, digest)) return false;
    return (
      !this.#existence.isNeeded(planned.key) ||
      this.#existence.isUsable(planned.key) ||
      observer.healthOf(planned.key, renderRef)?.state === 'Healthy'
    );
  }

  async #send(planned: PlannedObject, body: string, sent: SentApply): Promise<void> {
    const { cluster, observer, inventory, signal, onApplied } = this.#target;
    const sending = observer.sending(planned.key);
    try {
      const knownUid = inventory.get(planned.key)?.uid;
      const options = { fresh: planned.stage === 'Instances', knownUid, signal };
      const { object, resource, created } = await sendObject(cluster, planned, body, options);
      inventory.applied(planned.key, object.metadata.uid ?? '');
      this.#existence.observe(object);
      await sending.applied(resource, object, sent);
      onApplied(created ? 'created' : 'configured');
    } catch (error) {
      sending.failed();
      if (!signal.aborted) this.#problems.push(problemOf(planned.key, error));
    }
  }
}

function instancesOf(wave: PlannedWave): PlannedObject[] {
  return wave.stages.filter(({ name }) => name === 'Instances').flatMap(({ objects }) => objects);
}

/** All problems in one: retried where any of them can heal. */
function applyFailure(problems: Problem[]): Halt {
  const retryAfterMs = Math.max(0, ...problems.map((problem) => problem.retryAfterMs ?? 0));
  return new Halt(problemLines(problems), {
    reason: problems.every((problem) => problem.forbidden) ? 'AccessDenied' : 'ApplyFailed',
    stage: 'Apply',
    resume: problems.some(({ retryable, error }) => retryable || heals(error)) ? 'retry' : 'change',
    ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
    cause: new AggregateError(problems.map((problem) => problem.error)),
  });
}

/** @returns whether the work ended in time */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => limit.resolve(false), Math.min(ms, LONGEST_TIMER_MS));
  try {
    return await Promise.race([work.then(() => true), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
