import pLimit from 'p-limit';
import pMap from 'p-map';
import { keyString } from '../../api/object.ts';
import type { PlannedObject, PlannedWave } from '../../engine/plan/plan.ts';
import { isDefinition } from '../../engine/render/types.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Observer } from '../observer/observer.ts';
import type { SentApply } from '../observer/trackedObject.ts';
import type { Body } from '../render/job.ts';
import { Halt, heals } from '../release/halt.ts';
import { applyObject } from './applyObject.ts';
import type { Existence } from './existence.ts';
import { type Problem, problemLines, problemOf } from './problem.ts';

/** Applies in flight for one Release (apply.md). */
export const CONCURRENCY = 32;
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
  observer: Observer;
  renderRef: string;
  /** By keyString. */
  bodies: ReadonlyMap<string, Body>;
  inventory: Inventory;
  signal: AbortSignal;
  /** Called for each object that is as the render wants it. */
  onApplied: (how: 'created' | 'configured' | 'unchanged') => void;
}

/**
 * One pass over one wave. Stages are applied in their order, each concurrently inside. Two kinds of objects are not
 * waited for by the stages after them, so that nothing waits long for what it does not need: CRDs, beyond their head
 * start, and objects whose own CRD, APIService or Namespace is not usable yet; these follow as soon as it is.
 */
export class WavePass {
  readonly #target: ApplyTarget;
  readonly #existence: Existence;
  readonly #stageLimit = pLimit(CONCURRENCY);
  /** Those that waited do not queue up behind the stage that is being applied meanwhile. */
  readonly #followerLimit = pLimit(CONCURRENCY);
  readonly #problems: Problem[] = [];
  readonly #held = new Set<PlannedObject>();
  readonly #giveUp = new AbortController();

  constructor(target: ApplyTarget, existence: Existence) {
    this.#target = target;
    this.#existence = existence;
  }

  /**
   * @returns the objects that still wait for what they cannot exist without
   * @throws Halt with every problem of the stage that failed; later stages are not begun then
   */
  async apply(wave: PlannedWave): Promise<PlannedObject[]> {
    const definitions: Promise<void>[] = [];
    const followers = this.#followUp(instancesOf(wave));
    try {
      for (const { objects } of wave.stages.filter(({ name }) => name !== 'Instances')) {
        const [now, later] = partition(objects, (planned) => this.#canExist(planned));
        followers.push(...this.#followUp(later));
        const [crds, others] = partition(now, ({ object }) => isDefinition(object));
        const inUse = this.#applyDefinitions(crds);
        definitions.push(inUse);
        await within(inUse, HEAD_START_MS);
        await Promise.all(others.map((planned) => this.#stageLimit(() => this.#apply(planned))));
        if (this.#problems.length > 0) break;
      }
      await Promise.all(definitions);
      if (this.#problems.length === 0) await this.#waitBriefly(followers);
    } finally {
      this.#giveUp.abort();
      await Promise.all(followers);
    }
    this.#target.signal.throwIfAborted();
    if (this.#problems.length > 0) throw applyFailure(this.#problems);
    return [...this.#held];
  }

  async #waitBriefly(followers: Promise<void>[]): Promise<void> {
    const all = Promise.all(followers);
    await within(all, BRIEF_WAIT_FOR_BACKEND_MS);
    const missing = [...this.#held]
      .flatMap(({ needs }) => needs)
      .filter((key) => !this.#existence.isUsable(key));
    if (missing.some(({ kind }) => kind !== 'APIService'))
      await within(all, BRIEF_WAIT_MS - BRIEF_WAIT_FOR_BACKEND_MS);
  }

  /** Applies each object when what it needs is usable. */
  #followUp(objects: readonly PlannedObject[]): Promise<void>[] {
    return objects.map(async (planned) => {
      this.#held.add(planned);
      const signal = AbortSignal.any([this.#target.signal, this.#giveUp.signal]);
      try {
        await this.#existence.usable(planned.needs, signal);
      } catch (error) {
        if (!signal.aborted) this.#problems.push(problemOf(planned.key, error));
        return;
      }
      this.#held.delete(planned);
      await this.#followerLimit(() => this.#apply(planned));
    });
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

  #canExist(planned: PlannedObject): boolean {
    return planned.needs.every((key) => this.#existence.isUsable(key));
  }

  /** Sends what differs or is in doubt; all else costs no request (health.md, "Observer"). */
  async #apply(planned: PlannedObject): Promise<void> {
    const { bodies, renderRef, observer, onApplied } = this.#target;
    const { text = '', digest = '' } = bodies.get(keyString(planned.key)) ?? {};
    const sent = { digest, renderRef };
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
      const options = { fresh: planned.stage === 'Instances', signal };
      const { object, resource, created } = await applyObject(
        cluster,
        { object: planned.object, body },
        options,
      );
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

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const limit = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => limit.resolve(undefined), ms);
  try {
    await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'));
  return [yes, no];
}
