import { APPLIED_REASONS, type AppliedReason, type ConditionType } from '../../api/conditions.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import type {
  Failure,
  LastAttempted,
  Release,
  ReleaseStatus,
  RenderRecord,
  WaveStatus,
} from '../../api/release.ts';
import type { Plan, PlannedWave } from '../../engine/plan/plan.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { conditionOf, type Observation, withCondition } from './conditions.ts';
import type { Halt } from './halt.ts';

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
  readonly #now: string;
  readonly #historyLimit: number;
  readonly #attemptBefore: LastAttempted | undefined;
  #before: WaveStatus[] = [];
  #resources = new Map<number, number>();
  readonly #startedAt = new Map<number, string>();

  constructor(release: Release, now: Date) {
    this.status = structuredClone(release.status ?? {});
    this.#attemptBefore = release.status?.lastAttempted;
    this.#generation = release.metadata.generation ?? 0;
    this.#now = timestamp(now);
    this.#historyLimit = release.spec.historyLimit ?? DEFAULTS.historyLimit;
    this.status.observedGeneration = this.#generation;
  }

  set(type: ConditionType, observed: Observation): void {
    const context = { now: this.#now, generation: this.#generation };
    this.status.conditions = withCondition(this.status.conditions ?? [], type, observed, context);
  }

  fetched(revision: string): void {
    if (this.status.source?.revision !== revision) this.status.source = { revision, fetchedAt: this.#now };
  }

  /** A render is taken up; one that was taken up before keeps its time. */
  attempting({ renderRef, revision }: RenderId): void {
    const before = this.status.lastAttempted;
    const at = before?.renderRef === renderRef ? before.at : this.#now;
    if (before?.renderRef !== renderRef) delete this.status.waves;
    this.status.lastAttempted = { renderRef, revision, at };
  }

  /** Without healthAssessment every render counts as healthy at once, also when its apply fails (rollout.md). */
  healthy(render: RenderId): void {
    if (this.status.lastHealthy?.renderRef !== render.renderRef)
      this.status.lastHealthy = this.#record(render);
  }

  /** Waves that this reconcile does not reach have no entry; those that it reaches keep their times. */
  beginWaves(plan: Plan): void {
    this.#before = this.status.waves ?? [];
    this.#resources = new Map(
      plan.waves.map((wave) => [wave.number, wave.stages.flatMap((stage) => stage.objects).length]),
    );
    this.status.waves = [];
  }

  waveStarted({ number }: PlannedWave, at: Date): void {
    const known = this.#before.find((wave) => wave.number === number);
    this.#startedAt.set(number, known?.startedAt ?? timestamp(at));
  }

  /** Times are those of the first apply of the wave for this render (waves.md 7). */
  waveCompleted({ number }: PlannedWave, at: Date): void {
    const now = timestamp(at);
    const known = this.#before.find((wave) => wave.number === number);
    const resources = this.#resources.get(number) ?? 0;
    const startedAt = this.#startedAt.get(number) ?? now;
    const completedAt = known?.completedAt ?? now;
    this.status.waves?.push({
      number,
      resources,
      applied: resources,
      state: 'Completed',
      startedAt,
      completedAt,
    });
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
      history.unshift({ number: (history[0]?.number ?? 0) + 1, ...render, appliedAt: this.#now });
    }
    this.status.history = history.slice(0, this.#historyLimit);
    const objects = [...this.#resources.values()].reduce((sum, resources) => sum + resources, 0);
    const message = `${count(objects, 'object')} in ${count(plan.waves.length, 'wave')} applied`;
    this.set('Applied', { status: 'True', reason: 'Applied', message });
    this.set('Healthy', {
      status: 'True',
      reason: 'NotAssessed',
      message: 'there is no spec.healthAssessment: health is not assessed',
    });
  }

  /** Nothing is left to do. */
  ready(): void {
    const message = conditionOf(this.status.conditions, 'Applied')?.message ?? '';
    this.set('Ready', { status: 'True', reason: 'Applied', message });
  }

  /** A reconcile that ended early: Applied changes only where the reason speaks of the objects on the cluster. */
  halted(halt: Halt): void {
    const observed: Observation = { status: 'False', reason: halt.reason, message: halt.message };
    if (speaksOfObjects(halt.reason) || (halt.stage !== undefined && this.#nothingApplied))
      this.set('Applied', observed);
    if (this.#nothingApplied && conditionOf(this.status.conditions, 'Healthy') === undefined) {
      this.set('Healthy', {
        status: 'Unknown',
        reason: 'AssessmentUnknown',
        message: 'nothing of this Release is applied yet',
      });
    }
    this.set('Ready', observed);
    if (halt.stage !== undefined) this.#failed({ stage: halt.stage, message: halt.message });
  }

  /** Before there is a render, the last one stays named: its waves keep their times. `at`: since when it fails in this way. */
  #failed(failure: Failure): void {
    const [before, current] = [this.#attemptBefore, this.status.lastAttempted];
    const isSame = before?.failure?.message === failure.message && before.renderRef === current?.renderRef;
    this.status.lastAttempted = { ...current, at: isSame ? before.at : this.#now, failure };
  }

  get #nothingApplied(): boolean {
    return this.status.lastSuccessful === undefined;
  }

  #record(render: RenderId): RenderRecord {
    return { ...render, at: this.#now };
  }
}

function speaksOfObjects(reason: string): reason is AppliedReason {
  return reason in APPLIED_REASONS;
}

/** RFC 3339 in whole seconds, as metav1.Time writes it. */
function timestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
