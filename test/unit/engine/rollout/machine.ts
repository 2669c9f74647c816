import { asksForTarget, decideRollout } from '../../../../engine/rollout/decide.ts';
import { countsAsHealthy } from '../../../../engine/rollout/health.ts';
import type {
  RollbackPolicy,
  Rollout,
  RolloutHealth,
  Situation,
} from '../../../../engine/rollout/rollout.ts';
import { rollbackTarget } from '../../../../engine/rollout/target.ts';
import type { HealthState } from '../../../../api/healthRules.ts';
import { healthOf, MINUTE, NOW } from './support.ts';

/** What one reconcile did, for the invariants to judge. */
export interface Step {
  before: Rollout | undefined;
  after: Rollout | undefined;
  lastHealthyBefore: string | undefined;
  /** What stands applied after it. */
  applied: string | undefined;
  /** Health as the decisions saw it: before the apply and after it. */
  seen: (RolloutHealth | undefined)[];
  isNew: boolean;
  isForced: boolean;
  isPinned: boolean;
  wasPinned: boolean;
  waveFailed: boolean;
}

/** A Release around the pure decisions: what the API keeps of it, what a process knows, and the world that both look at. */
export class Machine {
  source = 1;
  rollback: RollbackPolicy | undefined = 'OnReleaseFailure';
  mode: Situation['mode'] = 'Automatic';
  pin: number | undefined;
  isForced = false;
  isAsked = false;
  now = NOW;
  /** What the objects of each render come to when it is applied; Healthy where nothing is told. */
  readonly fate = new Map<number, HealthState>();
  readonly held = new Set<string>();
  waveFails = false;
  /** Kept by the API. */
  rollout: Rollout | undefined;
  lastHealthy: string | undefined;
  applied: string | undefined;
  #wasPinned = false;
  #authorised: string | undefined;
  /** Known to the process alone. */
  #assessedFor: string | undefined;

  /** The process ends; another goes on from what the API keeps. */
  restart(): void {
    this.#assessedFor = undefined;
  }

  reconcile(): Step {
    const renderRef = refOf(this.pin ?? this.source);
    const isPinned = this.pin !== undefined;
    if (this.isAsked || this.isForced) this.#authorised = renderRef;
    const before = this.rollout;
    const lastHealthyBefore = this.lastHealthy;
    const flags = { isForced: this.isForced, wasPinned: this.#wasPinned, isPinned };
    const first = this.#situation(renderRef, flags);
    const { rollout, apply } = this.#decide(first);
    this.rollout = rollout;
    const seen = [first.health];
    let waveFailed = false;
    if (apply.what === 'render') waveFailed = this.#applyRender(renderRef);
    else if (apply.what === 'lastHealthy') this.#apply(this.lastHealthy ?? '');
    if (apply.what !== 'lastHealthy') seen.push(this.#settle(renderRef, isPinned, waveFailed));
    const isNew = before?.renderRef !== renderRef;
    const step = { before, after: this.rollout, lastHealthyBefore, applied: this.applied, seen };
    this.#wasPinned = isPinned;
    [this.isForced, this.isAsked] = [false, false];
    return { ...step, ...flags, isNew, waveFailed };
  }

  #applyRender(renderRef: string): boolean {
    this.#apply(renderRef);
    this.held.add(renderRef);
    return this.waveFails && this.#stateOf(renderRef) !== 'Healthy';
  }

  #apply(renderRef: string): void {
    this.applied = renderRef;
    this.#assessedFor = renderRef;
  }

  /** After the apply: what is healthy by now, what failed meanwhile. */
  #settle(renderRef: string, isPinned: boolean, waveFailed: boolean): RolloutHealth | undefined {
    const flags = { isForced: false, wasPinned: false, isPinned };
    const situation = this.#situation(
      renderRef,
      flags,
      waveFailed ? 'wave 0 did not become healthy' : undefined,
    );
    const { rollout, apply } = this.#decide(situation);
    this.rollout = rollout;
    if (countsAsHealthy({ isAssessed: true, health: situation.health }, renderRef))
      this.lastHealthy = renderRef;
    if (apply.what === 'lastHealthy') this.#apply(this.lastHealthy ?? '');
    return situation.health;
  }

  #decide(situation: Situation): ReturnType<typeof decideRollout> {
    if (!asksForTarget(situation)) return decideRollout(situation);
    const found = rollbackTarget(this.lastHealthy, situation.renderRef);
    const isHeld = 'none' in found || this.held.has(found.renderRef);
    return decideRollout({ ...situation, target: isHeld ? found : { none: 'the store does not hold it' } });
  }

  #situation(
    renderRef: string,
    flags: Pick<Situation, 'isForced' | 'wasPinned' | 'isPinned'>,
    waveFailure?: string,
  ): Situation {
    return {
      ...flags,
      rollback: this.rollback,
      deadlineMs: 5 * MINUTE,
      mode: this.mode,
      renderRef,
      isAuthorised: this.#authorised === renderRef,
      before: this.rollout,
      lastHealthy: this.lastHealthy,
      health: this.#health(),
      waveFailure,
      target: { none: 'nobody asked' },
      now: this.now,
    };
  }

  #health(): RolloutHealth | undefined {
    if (this.#assessedFor === undefined) return undefined;
    const state = this.#stateOf(this.#assessedFor);
    if (state === 'Healthy') return healthOf(this.#assessedFor, { healthy: 4 });
    return healthOf(this.#assessedFor, { healthy: 3, [state.toLowerCase()]: 1 });
  }

  #stateOf(renderRef: string): HealthState {
    return this.fate.get(Number(renderRef.slice('sha256:'.length))) ?? 'Healthy';
  }
}

export function refOf(render: number): string {
  return `sha256:${String(render).padStart(64, '0')}`;
}
