import pLimit from 'p-limit';
import { describe, keyString, type ObjectKey } from '../../api/object.ts';
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
import { applyFailure } from './applyFailure.ts';
import { notServed } from './applyObject.ts';
import type { Backends } from './backends.ts';
import { CONCURRENCY } from './concurrency.ts';
import { applyDefinitions } from './definitions.ts';
import type { Existence } from './existence.ts';
import { type Gatekeeper, lookAgainAt } from './gate.ts';
import { ObjectApplier, type ObjectTarget } from './objectApplier.ts';
import { partition } from './partition.ts';
import { type Problem, problemOf } from './problem.ts';
import { within } from './within.ts';

/**
 * How long what is missing is awaited in place, when all else of the wave is applied (ms). A CRD and a Namespace come as
 * soon as the API server gets to them; an APIService takes as long as its backend.
 */
const BRIEF_WAIT_MS = 60_000;
const BRIEF_WAIT_FOR_BACKEND_MS = 10_000;
/** How long CRDs have the API server to themselves, which takes them into use the slower the more it has to do (ms). */
const HEAD_START_MS = 5_000;

export interface ApplyTarget extends ObjectTarget {
  keeper: Gatekeeper;
  /** By keyString: objects of types that nobody serves yet. */
  unknown: ReadonlySet<string>;
  /** Stages of the wave wait for the health of those before them, at the render's first apply. */
  isStaged: (wave: PlannedWave) => boolean;
  /** A late object is applied although nothing answers for it: its time is over. */
  onWithoutBackend: (planned: PlannedObject) => void;
}

/** An object that is not applied in this pass. */
export interface Held {
  planned: PlannedObject;
  /** For whose health it waits; absent: for what it cannot exist without, or for Services. */
  why?: string;
  /** Services that have to answer first. */
  services?: readonly ObjectKey[];
  /** Nobody serves its type yet. */
  isUnknown?: true;
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
  readonly #applier: ObjectApplier;
  readonly #held = new Map<PlannedObject, Held>();
  readonly #followers: Promise<void>[] = [];
  readonly #definitions: Promise<void>[] = [];
  readonly #giveUp = new AbortController();
  /** How long late objects wait for Services, where the wave's gate says so; else as long as their own sync-timeout. */
  #limitMs: number | undefined;

  constructor(target: ApplyTarget, { existence, backends }: { existence: Existence; backends: Backends }) {
    this.#target = target;
    this.#applier = new ObjectApplier(target, existence);
    this.#existence = existence;
    this.#backends = backends;
  }

  /** What could not be applied since its Namespace is being deleted. */
  get homeless(): readonly Problem[] {
    return this.#applier.homeless;
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
        if (this.#applier.problems.length > 0) break;
      }
      await this.#settle();
      this.#holdUnknown(wave);
    } finally {
      this.#giveUp.abort();
      await Promise.all(this.#followers);
    }
    this.#target.signal.throwIfAborted();
    const { problems, homeless } = this.#applier;
    if (problems.length > 0) throw applyFailure([...problems, ...homeless]);
    return [...this.#held.values()];
  }

  async #applyStage(objects: readonly PlannedObject[]): Promise<void> {
    const known = objects.filter((planned) => !this.#isUnknown(planned));
    const [now, later] = partition(known, (planned) => this.#isDue(planned));
    this.#followUp(later);
    const [crds, others] = partition(now, ({ object }) => isDefinition(object));
    const inUse = this.#applyDefinitions(crds);
    this.#definitions.push(inUse);
    await within(inUse, HEAD_START_MS);
    await Promise.all(others.map((planned) => this.#stageLimit(() => this.#applier.apply(planned))));
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
    if (this.#applier.problems.length > 0) return;
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

  /** Objects of types that something may bring which was applied just now: held until the time of their gate is over. */
  #holdUnknown(wave: PlannedWave): void {
    for (const planned of objectsOfWave(wave).filter((object) => this.#isUnknown(object))) {
      const { key, object } = planned;
      const dueAt = this.#untilOf(planned);
      const why = `${describe(key)}: the cluster has no kind ${object.kind} in ${object.apiVersion} yet`;
      if (this.#target.keeper.now() < dueAt)
        this.#held.set(planned, { planned, why, isUnknown: true, dueAt });
      else this.#applier.problems.push(problemOf(key, notServed(object)));
    }
  }

  #isUnknown({ key }: PlannedObject): boolean {
    return this.#target.unknown.has(keyString(key));
  }

  /** When an object has waited long enough, milliseconds of the epoch. */
  #untilOf({ wave, timeoutMs }: PlannedObject): number {
    return this.#target.keeper.startedAt(wave) + (this.#limitMs ?? timeoutMs);
  }

  async #follow(planned: PlannedObject): Promise<void> {
    const { keeper, signal, onWithoutBackend } = this.#target;
    const until = this.#untilOf(planned);
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
      if (!either.aborted) this.#applier.problems.push(problemOf(planned.key, error));
      return;
    }
    this.#held.delete(planned);
    await this.#followerLimit(() => this.#applier.apply(planned));
  }

  async #applyDefinitions(crds: readonly PlannedObject[]): Promise<void> {
    const { bodies, signal } = this.#target;
    const either = AbortSignal.any([signal, this.#giveUp.signal]);
    await applyDefinitions(
      { applier: this.#applier, existence: this.#existence, bodies, signal: either },
      crds,
    );
  }

  #isDue({ key, needs, backends }: PlannedObject): boolean {
    const isAnswered = backends.length === 0 || this.#target.keeper.wasApplied(key);
    return isAnswered && needs.every((need) => this.#existence.isUsable(need));
  }
}

function instancesOf(wave: PlannedWave): PlannedObject[] {
  return wave.stages.filter(({ name }) => name === 'Instances').flatMap(({ objects }) => objects);
}
