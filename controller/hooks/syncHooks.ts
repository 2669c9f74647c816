import type { HookPhase } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import { describe } from '../../api/object.ts';
import type { HookStatus, ReleaseStatus } from '../../api/release.ts';
import { type Hook, hooksOf, isSameHook } from '../../engine/hooks/hook.ts';
import { hookJobName, type HookOccasion, withheldTtl } from '../../engine/hooks/job.ts';
import { hookProblems } from '../../engine/hooks/problems.ts';
import {
  beginFailure,
  beginSync,
  hasPassed,
  type HookRecord,
  isFailing,
  isNewSync,
  nextHook,
  pass,
  skipPending,
  skipRemoved,
  waveMended,
  withHook,
  type WantedSync,
} from '../../engine/hooks/sync.ts';
import { JOBS } from '../../kube/builtIn.ts';
import { isNotFound } from '../../kube/errors.ts';
import { Halt, haltOf } from '../release/halt.ts';
import { refuseHooks } from '../release/planRender.ts';
import type { CurrentRender, Reconcile } from '../release/reconcileRun.ts';
import { writeStatus } from '../writeStatus.ts';
import { releaseKey } from '../services.ts';
import { endHooks } from './endHooks.ts';
import { lookAtHook, placeOf } from './hookRun.ts';

/** How often a hook is looked at whose Job cannot be watched (ms). */
const BLIND_INTERVAL_MS = 10_000;
/** How soon it is tried again to make a Job that the API server did not take at the moment (ms). */
const AGAIN_MS = 2_000;

/** Phases that stand in the way of a sync; those of syncFailed run behind it. */
type SyncPhase = Exclude<HookPhase, 'syncFailed'>;

const STAGES = { preSync: 'PreSync', postSync: 'PostSync' } as const satisfies Record<SyncPhase, string>;

/**
 * The lifecycle hooks of a Release in one reconcile (apply.md). Nothing waits in here: while a hook runs the reconcile is
 * held, and its Job wakes the Release.
 */
export class SyncHooks {
  readonly #run: Reconcile;
  readonly #current: CurrentRender;
  readonly #hooks: readonly Hook[];
  readonly #wanted: WantedSync;
  #record: HookRecord;

  /** @param request id of the sync request that authorises the render */
  constructor(run: Reconcile, current: CurrentRender, request: string | undefined) {
    const { status = {}, spec } = run.release;
    this.#run = run;
    this.#current = current;
    this.#hooks = hooksOf(run.release, current.plan);
    this.#wanted = {
      renderRef: current.rendered.renderRef,
      request,
      lastSuccessful: status.lastSuccessful?.renderRef,
      isUnpinned: status.pin !== undefined && spec.pin === undefined,
    };
    this.#record = { sync: status.hookSync, hooks: status.hooks ?? [] };
  }

  /** Writes down what has become of the hooks that run, whatever this reconcile is about. */
  async observe(): Promise<void> {
    if (this.#record.sync?.ended === true) return;
    const running = this.#record.hooks.filter(({ state }) => state === 'Running');
    for (const status of running) await this.#look(status);
  }

  /**
   * Makes a sync with its hooks.
   * @param step all else of it, which calls `preSync` and `postSync` in their places
   * @throws Halt of the step; `WaitingForHook`, `HookFailed`
   */
  async during<T>(step: () => Promise<T>): Promise<T> {
    try {
      refuseHooks(hookProblems(this.#run.release, this.#current.plan));
      await this.#begin();
      const outcome = await step();
      await this.#goOnFailing(undefined);
      return outcome;
    } catch (error) {
      this.#run.signal.throwIfAborted();
      const halt = haltOf(error);
      if (halt.reason === 'WaitingForWaveHealth') this.#keep(waveMended(this.#record));
      this.#keep(beginFailure(this.#record, halt.reason, this.#now));
      await this.#goOnFailing(halt);
      throw halt;
    }
  }

  /** Nothing is applied: what began when a sync failed goes on. */
  async goOn(): Promise<void> {
    await this.#goOnFailing(undefined);
  }

  /** Before anything is applied. @throws Halt `WaitingForHook`, `HookFailed` */
  async preSync(): Promise<void> {
    await this.#runPhase('preSync');
  }

  /** All is applied, and what is not wanted any more is gone. @throws Halt `WaitingForHook`, `HookFailed` */
  async postSync(): Promise<void> {
    this.#keep(waveMended(pass(this.#record, 'apply')));
    await this.#runPhase('postSync');
    if (!isFailing(this.#record))
      this.#keep(skipPending(this.#record, ['syncFailed'], 'the sync did not fail'));
  }

  /** Another render is applied in place of this one, without hooks (rollout.md, "Rollback apply"). */
  async rolledBack(): Promise<void> {
    const why = 'the render was rolled back';
    this.#keep(skipPending(this.#record, ['preSync', 'postSync'], why));
    for (const status of this.#record.hooks.filter(isInTheWay)) await this.#giveUp(status, why);
    await this.#goOnFailing(undefined);
    if (!isFailing(this.#record))
      this.#keep(skipPending(this.#record, ['syncFailed'], `${why}, without hooks`));
  }

  /** Going back must not depend on it: where it cannot be ended it is tried again. */
  async #giveUp(status: HookStatus, why: string): Promise<void> {
    const { services, release, signal } = this.#run;
    try {
      await endHooks(services, release, [status], why);
    } catch (error) {
      signal.throwIfAborted();
      services.log.warn({ release: releaseKey(release), err: error }, `${textOf(status)} could not be ended`);
      return;
    }
    const skipped = { ...status, state: 'Skipped', completedAt: this.#now, message: why } as const;
    this.#keep(withHook(this.#record, skipped));
  }

  async #begin(): Promise<void> {
    const { sync, hooks } = this.#record;
    if (!isNewSync(sync, this.#wanted)) {
      this.#keep(skipRemoved(this.#record, this.#hooks));
      return;
    }
    const { services, release } = this.#run;
    const why = `another sync takes its place (render ${this.#wanted.renderRef})`;
    const left = await endHooks(services, release, hooks, why);
    if (left.length > 0 && sync !== undefined) {
      this.#keep({ sync: { ...sync, ended: true }, hooks });
      const names = left.map((status) => `${status.phase} hook ${status.name} (${jobOf(status)})`).join(', ');
      throw this.#hold(`the sync before this one has to end: ${names} is being ended`, left, Infinity);
    }
    this.#keep(beginSync(this.#hooks, this.#wanted, this.#now));
  }

  async #runPhase(phase: SyncPhase): Promise<void> {
    while (!hasPassed(this.#record, phase)) {
      const due = nextHook(this.#record, this.#hooks, phase);
      if (due.next === 'passed') {
        this.#keep(pass(this.#record, phase));
        return;
      }
      if (due.next === 'failed') throw this.#failed(phase, due.status);
      if (due.next === 'wait') throw this.#waitFor(due.status, due.hook);
      await this.#start(due.status, due.hook, (running) => this.#waitFor(running, due.hook));
    }
  }

  /** The hooks of a sync that has failed run one after another, whatever becomes of it meanwhile. */
  async #goOnFailing(halt: Halt | undefined): Promise<void> {
    while (isFailing(this.#record)) {
      const due = nextHook(this.#record, this.#hooks, 'syncFailed');
      if (due.next === 'start') {
        await this.#start(due.status, due.hook, () => halt);
        continue;
      }
      if (due.next === 'wait') this.#lookAt(this.#waitFor(due.status, due.hook).dueAt ?? Infinity);
      if (due.next === 'failed')
        this.#keep(skipPending(this.#record, ['syncFailed'], `${textOf(due.status)} failed`));
      return;
    }
  }

  /** @param tell what the status says of the Release meanwhile; undefined: what it said before */
  async #start(
    status: HookStatus,
    hook: Hook,
    tell: (running: HookStatus) => Halt | undefined,
  ): Promise<void> {
    const { release, draft, redaction } = this.#run;
    const { sync } = this.#record;
    if (sync === undefined) return;
    const job = hookJobName(hook, release, sync);
    const { phase, name, namespace } = status;
    const running: HookStatus = { phase, name, namespace, state: 'Running', job, startedAt: this.#now };
    this.#keep(withHook(this.#record, running));
    const told = tell(running);
    if (told === undefined) await this.#writeHooks();
    else {
      told.message = redaction.apply(told.message);
      draft.halted(told);
      await this.#write(draft.status);
    }
    await this.#look(running);
  }

  /** How it ended is written down before anybody may remove its Job. */
  async #look(status: HookStatus): Promise<void> {
    const hook = this.#hookOf(status);
    const occasion = this.#occasion(status.phase);
    const seen = await lookAtHook(status, { run: this.#run, hook, occasion });
    this.#keep(withHook(this.#record, seen));
    if (seen.state === 'Running') return;
    await this.#writeHooks();
    if (seen.uid !== undefined) this.#run.services.hookJobs.forget(seen.uid);
    const ttl = hook === undefined ? undefined : withheldTtl(hook);
    if (ttl !== undefined) await this.#giveTtl(seen, ttl);
  }

  async #giveTtl(status: HookStatus, ttlSecondsAfterFinished: number): Promise<void> {
    const patch = { spec: { ttlSecondsAfterFinished } };
    await this.#run.services.target.client
      .patch(JOBS, placeOf(status), { type: 'merge', patch })
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  }

  #occasion(phase: HookPhase): HookOccasion {
    const { sync } = this.#record;
    const { rendered, revision } = this.#current;
    const asked = sync?.request === undefined ? 'NewRender' : 'SyncRequest';
    const reason = phase === 'syncFailed' ? (sync?.failure?.reason ?? '') : asked;
    return { renderRef: sync?.renderRef ?? rendered.renderRef, revision, reason };
  }

  #failed(phase: SyncPhase, status: HookStatus): Halt {
    const why = `${textOf(status)} failed`;
    this.#keep(skipPending(this.#record, ['preSync', 'postSync'], why));
    const said = status.message === undefined ? '' : `: ${status.message}`;
    const nothing = phase === 'preSync' ? '; nothing was applied' : '';
    const message =
      `${why} (${jobOf(status)})${said}${nothing} – mend it, then bring a new render or ask for a sync: ` +
      'it does not run again by itself';
    return new Halt(message, { reason: 'HookFailed', stage: STAGES[phase], resume: 'change' });
  }

  #waitFor(status: HookStatus, hook: Hook | undefined): Halt {
    const startedAt = Date.parse(status.startedAt ?? this.#now);
    const dueAt = hook === undefined ? Infinity : startedAt + hook.timeoutMs;
    const how = status.message === undefined ? '' : `: ${status.message}`;
    const where = status.job === undefined ? '' : ` (${jobOf(status)})`;
    return this.#hold(`${textOf(status)} runs${where}${how}`, [status], dueAt);
  }

  #hold(message: string, awaited: readonly HookStatus[], dueAt: number): Halt {
    const { hookJobs, now } = this.#run.services;
    const pauses = awaited.map(({ uid }) => {
      if (uid === undefined) return AGAIN_MS;
      return hookJobs.isFollowed(uid) ? Infinity : BLIND_INTERVAL_MS;
    });
    const lookAt = now().getTime() + Math.min(...pauses);
    return new Halt(message, { reason: 'WaitingForHook', resume: 'event', dueAt: Math.min(dueAt, lookAt) });
  }

  #lookAt(dueAt: number): void {
    if (dueAt !== Infinity) this.#run.lookAt = Math.min(this.#run.lookAt ?? Infinity, dueAt);
  }

  #hookOf(status: HookStatus): Hook | undefined {
    return this.#hooks.find((hook) => isSameHook(hook, status));
  }

  get #now(): string {
    return this.#run.services.now().toISOString();
  }

  /** The status as it is on the cluster, but for the hooks. */
  async #writeHooks(): Promise<void> {
    const { release, draft } = this.#run;
    const { hooks, hookSync } = draft.status;
    const status: ReleaseStatus = { ...release.status };
    delete status.hooks;
    delete status.hookSync;
    if (hooks !== undefined) status.hooks = hooks;
    if (hookSync !== undefined) status.hookSync = hookSync;
    await this.#write(status);
  }

  async #write(status: ReleaseStatus): Promise<void> {
    const { services, release } = this.#run;
    this.#run.release =
      (await writeStatus(services.home.client, RESOURCES.Release, release, status)) ?? release;
  }

  #keep(record: HookRecord): void {
    this.#record = record;
    this.#run.draft.hooks(record);
  }
}

/** It stands in the way of a sync, and runs. */
function isInTheWay({ phase, state }: HookStatus): boolean {
  return phase !== 'syncFailed' && state === 'Running';
}

function textOf({ phase, name }: HookStatus): string {
  return `${phase} hook ${name}`;
}

function jobOf(status: HookStatus): string {
  return describe({ group: 'batch', kind: 'Job', ...placeOf(status) });
}
