import type { RenderRecord } from '../../api/release.ts';
import { objectsOfPlan } from '../../engine/plan/plan.ts';
import { inOneStep } from '../../engine/rollout/oneStep.ts';
import { applyWaves } from '../apply/applyWaves.ts';
import type { Gatekeeper } from '../apply/gate.ts';
import { releaseKey } from '../services.ts';
import { RenderUnreadable } from '../../api/packedRender.ts';
import { Halt, haltOf } from './halt.ts';
import { listBeforeApply } from './listing.ts';
import { planRender } from './planRender.ts';
import { prune } from './prune.ts';
import { purge } from './purge.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { assessHealth, isAssessed } from './renderHealth.ts';
import { testRender } from './testRender.ts';
import { warnOfBackend } from './warnOfBackend.ts';
import { writeInventory } from './writeInventory.ts';

/**
 * Applies the last healthy render in place of one that failed (rollout.md, "Rollback apply"): in one step, without a dry
 * run, hooks or an entry in the history. It can run again at each reconcile, and corrects drift then.
 * @param why what is said of the rollout that failed
 * @throws Halt `ApplyFailed` with both errors; `WaitingForStage`; `PruneFailed` when all is applied
 */
export async function rollBack(
  run: Reconcile,
  failed: Pick<CurrentRender, 'store' | 'inventory'>,
  why: string,
): Promise<void> {
  const { services, release, draft, signal } = run;
  const to = draft.status.lastHealthy;
  try {
    const current = await restored(run, failed, to);
    const { plan, inventory } = current;
    const followed = services.observer.follow(
      releaseKey(release),
      objectsOfPlan(plan),
      (key) => inventory.get(key),
      signal,
    );
    await testRender(run, current, { isForced: true, followed });
    await write(run, current);
    try {
      await applyAtOnce(run, current);
      draft.rolledBack(current, why);
      if (!isAssessed(release)) draft.notAssessed();
      await prune({ services, release, inventory, plan, signal });
    } finally {
      if (isAssessed(release)) assessHealth(run, current);
      await writeInventory(run, current);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw bothErrors(error, to, why);
  }
}

/** @throws Halt, RenderUnreadable */
async function restored(
  { services, release }: Reconcile,
  { store, inventory }: Pick<CurrentRender, 'store' | 'inventory'>,
  to: RenderRecord | undefined,
): Promise<CurrentRender> {
  if (to === undefined) throw new RenderUnreadable('status.lastHealthy is not there any more');
  const rendered = await services.renders.load(services.target, release, to.renderRef);
  const plan = inOneStep(planRender(rendered, release.spec.syncPolicy?.defaultStrategy));
  return { plan, rendered, revision: to.revision, store, inventory };
}

/** Lists the objects before they are applied. What has a purge-order has done its work for this render, and stays away. */
async function write(run: Reconcile, { plan, rendered, store, inventory }: CurrentRender): Promise<void> {
  listBeforeApply(inventory, plan, rendered.renderRef);
  for (const { key, purgeOrder } of objectsOfPlan(plan)) if (purgeOrder !== undefined) inventory.purging(key);
  run.signal.throwIfAborted();
  await store.write(inventory, run.services.now().getTime());
}

async function applyAtOnce(run: Reconcile, current: CurrentRender): Promise<void> {
  const { services, release, signal } = run;
  const { plan, rendered, inventory } = current;
  const { renderRef, bodies, unknown } = rendered;
  const observer = services.observer.of(releaseKey(release));
  await applyWaves({
    cluster: services.target,
    observer,
    renderRef,
    plan,
    bodies,
    unknown,
    inventory,
    signal,
    keeper: {
      ...NEVER_WAITS,
      isWatched: (planned) => observer.isWatched(planned),
      now: () => services.now().getTime(),
    },
    isStaged: () => false,
    onWithoutBackend: (planned) => warnOfBackend(services, release, planned),
    onFault: services.watchFault,
    purge: () => purge(run, current, undefined, undefined),
    onWaveStarted: () => undefined,
    onWaveCompleted: () => undefined,
    onApplied: (result) => services.metrics.applied.inc({ result }),
    wakeWhen: (ready) => services.wakeups.add(releaseKey(release), ready),
  });
}

/** No wave, no health and no backend is waited for. */
const NEVER_WAITS: Omit<Gatekeeper, 'isWatched' | 'now'> = {
  assessed: false,
  healthOf: () => undefined,
  wasApplied: () => true,
  startedAt: () => 0,
};

/** A rollback that fails is told with why it was tried. What only waits, and what is left after it, say so themselves. */
function bothErrors(error: unknown, to: RenderRecord | undefined, why: string): Halt {
  const halt =
    error instanceof RenderUnreadable
      ? new Halt(error.message, { reason: 'ApplyFailed', stage: 'Apply', resume: 'change', cause: error })
      : haltOf(error);
  if (halt.stage === undefined || halt.reason === 'PruneFailed') return halt;
  const { resume, retryAfterMs, dueAt } = halt;
  return new Halt(
    `rollback to ${to?.renderRef ?? 'the last healthy render'} failed: ${halt.message}\n${why}`,
    {
      reason: 'ApplyFailed',
      stage: 'Apply',
      resume,
      cause: error,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      ...(dueAt === undefined ? {} : { dueAt }),
    },
  );
}
