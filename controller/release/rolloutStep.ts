import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { RolloutStatus } from '../../api/release.ts';
import {
  asksForTarget,
  beginApply,
  decideRollout,
  type RolloutDecision,
  type Wanted,
} from '../../engine/rollout/decide.ts';
import { allHealthy } from '../../engine/rollout/health.ts';
import type { RollbackTarget, Rollout, Situation } from '../../engine/rollout/rollout.ts';
import { rollbackTarget } from '../../engine/rollout/target.ts';
import { RenderUnreadable } from '../../api/packedRender.ts';
import { Halt } from './halt.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { healthAfter, healthBefore } from './renderHealth.ts';

interface Asked {
  /** A forced sync request was taken in this reconcile. */
  isForced: boolean;
  /** A sync request authorises the render. */
  isAuthorised: boolean;
}

/** The rollout in one reconcile: decided before the render is applied, and again by what has become of it. */
export class RolloutStep {
  readonly #run: Reconcile;
  readonly #current: CurrentRender;
  readonly #asked: Asked;
  #rollout: Rollout | undefined;

  constructor(run: Reconcile, current: CurrentRender, asked: Asked) {
    this.#run = run;
    this.#current = current;
    this.#asked = asked;
    this.#rollout = rolloutOf(run.release.status?.rollout);
  }

  /** What is said of a rollout that did not end well; undefined while it is open and after a success. */
  get failure(): string | undefined {
    if (this.#isPinned) return undefined;
    const { state, message } = this.#rollout ?? {};
    return state === 'Failed' || state === 'RolledBack' ? message : undefined;
  }

  /** Before anything is applied. @returns what is to be applied */
  async decide(): Promise<Wanted> {
    const health = healthBefore(this.#run, this.#current);
    const { rendered, revision } = this.#current;
    const { draft } = this.#run;
    if (allHealthy(health, rendered.renderRef)) draft.healthy({ renderRef: rendered.renderRef, revision });
    const wasPinned = draft.status.pin !== undefined;
    if (wasPinned && !this.#isPinned) draft.unpinned();
    const { apply, lookAt } = await this.#take({ ...this.#situation(), ...this.#asked, wasPinned, health });
    // A render that was never applied cannot be decided: nobody has to look at it in time.
    if (this.#current.inventory.isListedFor(rendered.renderRef)) this.#run.lookAt = lookAt;
    return apply;
  }

  /** The render is about to be applied, for the first time where no wave of it has begun. */
  begin(): void {
    if (this.#rollout === undefined || this.#isPinned || this.#run.draft.status.waves !== undefined) return;
    this.#keep(beginApply(this.#rollout, this.#situation()));
  }

  /**
   * After the apply.
   * @param halt what ended it early
   * @returns what is to be applied now: `lastHealthy` where it ends in a rollback
   */
  async settle(halt: Halt | undefined): Promise<Wanted> {
    const waveFailure = halt?.reason === 'WaveFailed' ? halt.message : undefined;
    const health = healthAfter(this.#run, this.#current);
    const { apply, lookAt } = await this.#take({ ...this.#situation(), health, waveFailure });
    this.#run.lookAt = lookAt;
    return apply;
  }

  /** How the end of the apply is told: with a failurePolicy a failed wave is the end of the rollout (waves.md, axis A, 8). */
  told(halt: Halt): Halt {
    if (halt.reason !== 'WaveFailed' || this.#rollout === undefined) return halt;
    const { resume, dueAt = Infinity } = halt;
    return new Halt(halt.message, { reason: 'RolloutFailed', stage: 'Wave', resume, dueAt });
  }

  get #isPinned(): boolean {
    return this.#run.release.spec.pin !== undefined;
  }

  async #take(situation: Situation): Promise<RolloutDecision> {
    const target = asksForTarget(situation) ? await this.#target() : situation.target;
    const decision = decideRollout({ ...situation, target });
    this.#keep(decision.rollout);
    return decision;
  }

  /** What a rollback goes back to, if the store has it. */
  async #target(): Promise<RollbackTarget> {
    const { services, release, draft } = this.#run;
    const found = rollbackTarget(draft.status.lastHealthy?.renderRef, this.#current.rendered.renderRef);
    if ('none' in found) return found;
    try {
      await services.renders.load(services.target, release, found.renderRef);
      return found;
    } catch (error) {
      if (error instanceof RenderUnreadable) return { none: error.message };
      throw error;
    }
  }

  #situation(): Situation {
    const { release, draft, services } = this.#run;
    const { failurePolicy, healthAssessment, syncPolicy } = release.spec;
    return {
      rollback: failurePolicy && (failurePolicy.rollback ?? DEFAULTS.rollback),
      deadlineMs: deadlineMs(healthAssessment?.deadline),
      mode: syncPolicy?.mode ?? DEFAULTS.syncMode,
      renderRef: this.#current.rendered.renderRef,
      isPinned: this.#isPinned,
      wasPinned: false,
      isForced: false,
      isAuthorised: this.#asked.isAuthorised,
      before: this.#rollout,
      lastHealthy: draft.status.lastHealthy?.renderRef,
      health: undefined,
      waveFailure: undefined,
      target: { none: 'the render store was not asked' },
      now: services.now().getTime(),
    };
  }

  #keep(rollout: Rollout | undefined): void {
    this.#rollout = rollout;
    this.#run.draft.rollout(rollout && statusOf(rollout));
  }
}

function deadlineMs(deadline: string | undefined): number | undefined {
  return deadline === undefined ? undefined : parseDuration(deadline);
}

function rolloutOf(status: RolloutStatus | undefined): Rollout | undefined {
  if (status === undefined) return undefined;
  const { state, renderRef, startedAt, message = '' } = status;
  return { state, renderRef, startedAt: Date.parse(startedAt), message };
}

function statusOf({ state, renderRef, startedAt, message }: Rollout): RolloutStatus {
  return {
    state,
    renderRef,
    startedAt: new Date(startedAt).toISOString(),
    ...(message === '' ? {} : { message }),
  };
}
