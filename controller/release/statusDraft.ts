import {
  APPLIED_REASONS,
  type AppliedReason,
  type ConditionType,
  HEALTHY_REASONS,
  ROLLOUT_REASONS,
} from '../../api/conditions.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { MAX_WAVES } from '../../api/limits.ts';
import type {
  Failure,
  HistoryEntry,
  LastAttempted,
  Release,
  ReleaseStatus,
  RenderRecord,
  RolloutStatus,
  WaveStatus,
} from '../../api/release.ts';
import type { HookRecord } from '../../engine/hooks/sync.ts';
import { objectsOfPlan, type Plan } from '../../engine/plan/plan.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { conditionOf, cut, type Observation, timestamp, withCondition } from './conditions.ts';
import type { Halt } from './halt.ts';
import type { RenderHealth } from './recordHealth.ts';
import { WaveEntries } from './waveEntries.ts';

/** A render by its digest and the revision of the source that it came from. */
export interface RenderId {
  renderRef: string;
  revision: string;
}

/**
 * The status as this reconcile will leave it: begun as a copy of the present one, so that a step that is not reached
 * leaves its part as it was (api.md).
 */
export class StatusDraft {
  readonly status: ReleaseStatus;
  readonly #generation: number;
  /** The time of this reconcile, as the status writes it. */
  readonly now: string;
  readonly #historyLimit: number;
  readonly #pinReason: string | undefined;
  readonly #attemptBefore: LastAttempted | undefined;
  /** What differs from the render that stands applied, for messages; '' where nothing does. */
  #drift = '';
  #isNewRender = false;

  constructor(release: Release, now: Date) {
    this.status = structuredClone(release.status ?? {});
    this.#attemptBefore = release.status?.lastAttempted;
    this.#generation = release.metadata.generation ?? 0;
    this.now = timestamp(now);
    this.#pinReason = release.spec.pin?.reason;
    this.#historyLimit = release.spec.historyLimit ?? DEFAULTS.historyLimit;
    this.status.observedGeneration = this.#generation;
  }

  set(type: ConditionType, observed: Observation): void {
    const context = { now: this.now, generation: this.#generation };
    this.status.conditions = withCondition(this.status.conditions ?? [], type, observed, context);
  }

  fetched(revision: string): void {
    if (this.status.source?.revision !== revision) this.status.source = { revision, fetchedAt: this.now };
  }

  /** A render is taken up; one that was taken up before keeps its time. */
  attempting({ renderRef, revision }: RenderId): void {
    const before = this.status.lastAttempted;
    const at = before?.renderRef === renderRef ? before.at : this.now;
    this.#isNewRender = before?.renderRef !== renderRef;
    this.status.lastAttempted = { renderRef, revision, at };
  }

  /** All objects of the render are healthy for it; failures never take that back (rollout.md). */
  healthy(render: RenderId): void {
    if (this.status.lastHealthy?.renderRef !== render.renderRef)
      this.status.lastHealthy = this.#record(render);
  }

  /**
   * The waves of the render come next: those of another one end. Until then they stay as they are, whatever becomes of the
   * new render (waves.md, axis A, 9).
   * @param isBegun an earlier reconcile came as far as this with the render
   */
  reachWaves(isBegun: boolean): void {
    if (this.#isNewRender || !isBegun) this.restartWaves();
  }

  /** Waves that this reconcile does not reach have no entry; those that it reaches keep their times. */
  beginWaves(): WaveEntries {
    const waves = new WaveEntries(this.status.waves ?? []);
    this.status.waves = [];
    return waves;
  }

  /** The waves that this reconcile has applied; of too many for one object the last, which gates look at. */
  waves(entries: WaveStatus[]): void {
    this.status.waves = entries.slice(-MAX_WAVES);
  }

  /** The clocks of the waves start again. */
  restartWaves(): void {
    delete this.status.waves;
  }

  /** How the hooks of the last sync stand; a Release without hooks says nothing of them. */
  hooks({ sync, hooks }: HookRecord): void {
    delete this.status.hooks;
    delete this.status.hookSync;
    if (sync === undefined) return;
    this.status.hookSync = sync;
    this.status.hooks = hooks.map(({ message, ...hook }) => ({
      ...hook,
      ...(message === undefined ? {} : { message: cut(message) }),
    }));
  }

  inventory(inventory: Inventory, shards: number): void {
    this.status.inventory = { entries: inventory.size, shards };
  }

  /** All waves of the render are applied. */
  applied(render: RenderId, plan: Plan): void {
    if (this.status.lastSuccessful?.renderRef !== render.renderRef)
      this.status.lastSuccessful = this.#record(render);
    const history = [...(this.status.history ?? [])];
    if (history[0]?.renderRef !== render.renderRef) {
      const number = (history[0]?.number ?? 0) + 1;
      history.unshift({ number, ...render, appliedAt: this.now, ...this.#askedBy() });
    }
    this.status.history = history.slice(0, this.#historyLimit);
    const what = whatOf(plan);
    const observed = this.status.pin === undefined ? applied(what) : this.#pinnedAs(what);
    this.set('Applied', { status: 'True', ...observed });
  }

  /** What differs from the render that stands applied: `done` and `stands` say so. */
  drifted(text: string): void {
    this.#drift = text;
  }

  /** The render stands applied since an earlier reconcile, and nothing is applied now (manual mode). */
  stands(plan: Plan): void {
    this.set('Applied', { status: 'True', ...applied(this.withDrift(whatOf(plan))) });
  }

  /** `spec.pin` is taken up. */
  pinned(pin: NonNullable<ReleaseStatus['pin']>): void {
    this.status.pin = pin;
  }

  /** What is applied from here on is a new render, whatever was applied before (rollout.md, "Pins and history"). */
  unpinned(): void {
    delete this.status.pin;
    this.restartWaves();
  }

  /** The last healthy render is applied in place of one that failed; that is no entry in the history (rollout.md). */
  rolledBack(
    { rendered, revision }: { rendered: { renderRef: string }; revision: string },
    why: string,
  ): void {
    const { renderRef } = rendered;
    if (this.status.lastSuccessful?.renderRef !== renderRef)
      this.status.lastSuccessful = this.#record({ renderRef, revision });
    delete this.status.waves;
    this.set('Applied', { status: 'True', reason: 'RolledBack', message: why });
  }

  /** The rollout as it stands; without one the condition keeps its last value (rollout.md, "States"). */
  rollout(rollout: RolloutStatus | undefined): void {
    delete this.status.rollout;
    if (rollout === undefined) return;
    const message = cut(rollout.message ?? '');
    this.status.rollout = { ...rollout, ...(message === '' ? {} : { message }) };
    const { status } = ROLLOUT_REASONS[rollout.state];
    this.set('RolloutSucceeded', { status, reason: rollout.state, message });
  }

  /** Without a healthAssessment what is applied counts as healthy, and so does the render at once (rollout.md). */
  notAssessed(): void {
    delete this.status.health;
    this.set('Healthy', {
      status: 'True',
      reason: 'NotAssessed',
      message: 'there is no spec.healthAssessment: health is not assessed',
    });
  }

  assessed({ counts, reason, message }: RenderHealth): void {
    this.status.health = counts;
    this.set('Healthy', { status: HEALTHY_REASONS[reason].status, reason, message });
  }

  /** Nothing is left to do but to become healthy. */
  done(): void {
    const healthy = conditionOf(this.status.conditions, 'Healthy');
    const applied = conditionOf(this.status.conditions, 'Applied');
    if (healthy === undefined || applied === undefined) return;
    if (healthy.status === 'True') this.set('Ready', applied);
    else this.set('Ready', { ...healthy, message: this.withDrift(healthy.message) });
  }

  /** A reconcile that ended early: Applied changes only where the reason speaks of the objects on the cluster. */
  halted(halt: Halt): void {
    const observed: Observation = { status: 'False', reason: halt.reason, message: halt.message };
    if (
      halt.isNotApplied ||
      speaksOfObjects(halt.reason) ||
      (halt.stage !== undefined && this.#nothingApplied)
    )
      this.set('Applied', observed);
    if (this.#nothingApplied && conditionOf(this.status.conditions, 'Healthy') === undefined) {
      this.set('Healthy', {
        status: 'Unknown',
        reason: 'AssessmentUnknown',
        message: 'nothing of this Release is applied yet',
      });
    }
    this.set('Ready', observed);
    if (halt.stage !== undefined) this.failed({ stage: halt.stage, message: halt.message });
  }

  /** Before there is a render, the last one stays named: its waves keep their times. `at`: since when it fails in this way. */
  failed({ stage, message }: Failure): void {
    const failure: Failure = { stage, message: cut(message) };
    const [before, current] = [this.#attemptBefore, this.status.lastAttempted];
    const isSame = before?.failure?.message === failure.message && before.renderRef === current?.renderRef;
    this.status.lastAttempted = { ...current, at: isSame ? before.at : this.now, failure };
  }

  get #nothingApplied(): boolean {
    return this.status.lastSuccessful === undefined;
  }

  /** A message with what differs, on a line of its own. */
  withDrift(message: string): string {
    return this.#drift === '' ? message : `${this.#drift}\n${message}`;
  }

  #pinnedAs(what: string): Pick<Observation, 'reason' | 'message'> {
    const why = this.#pinReason === undefined ? '' : ` (${this.#pinReason})`;
    return { reason: 'Pinned', message: `pinned to ${this.status.pin?.renderRef ?? ''}${why}: ${what}` };
  }

  /** Who asked for the render that is applied, where somebody did. */
  #askedBy(): Pick<HistoryEntry, 'by'> {
    const { active, recent = [] } = this.status.sync ?? {};
    const by = active && recent.find(({ id }) => id === active.id)?.by;
    return by === undefined ? {} : { by };
  }

  #record(render: RenderId): RenderRecord {
    return { ...render, at: this.now };
  }
}

function whatOf(plan: Plan): string {
  return `${count(objectsOfPlan(plan).length, 'object')} in ${count(plan.waves.length, 'wave')} applied`;
}

function applied(message: string): Pick<Observation, 'reason' | 'message'> {
  return { reason: 'Applied', message };
}

function speaksOfObjects(reason: string): reason is AppliedReason {
  return reason in APPLIED_REASONS;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
