import {
  APPLIED_REASONS,
  type AppliedReason,
  type FailureStage,
  READY_REASONS,
  type ReadyReason,
} from '../../api/conditions.ts';
import type { Release } from '../../api/release.ts';
import { labelledOwner, ownerLabels } from '../../api/ownership.ts';
import { objectsOfPlan, type Plan, type PlannedObject } from '../../engine/plan/plan.ts';
import type { Wanted } from '../../engine/rollout/decide.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { releaseKey } from '../services.ts';
import { RenderUnreadable } from '../../api/packedRender.ts';
import { conditionOf } from './conditions.ts';
import { compareRender, driftText } from './drift.ts';
import { Halt } from './halt.ts';
import { listBeforeApply } from './listing.ts';
import { planRender } from './planRender.ts';
import { withHealth } from './recordHealth.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { assessHealth, healthOf, isAssessed } from './renderHealth.ts';
import type { RolloutStep } from './rolloutStep.ts';
import { writeInventory } from './writeInventory.ts';

/**
 * Manual mode without a request: nothing is applied. What stands applied is looked at all the same, so that drift is told, health
 * goes on, and a rollout is decided (rollout.md, "Manual mode").
 * @returns what is to be applied in spite of that: the last healthy render, where the rollout has failed
 * @throws Halt `WaitingForSync`; that of the request that came last, where it failed
 */
export async function standStill(
  run: Reconcile,
  current: CurrentRender,
  rollout: RolloutStep,
): Promise<Wanted> {
  const { release } = run;
  const { renderRef } = current.rendered;
  const failure = failureBefore(release, renderRef);
  if (stands(release, current)) {
    await lookAtStanding(run, current);
    const wanted = await rollout.settle(undefined);
    if (failure !== undefined && wanted.what === 'nothing') throw failure;
    return wanted;
  }
  const begun = objectsOfPlan(current.plan).filter(({ key }) => isBegun(current.inventory, key, renderRef));
  if (begun.length > 0) {
    await compareRender(run, current, begun);
    await assess(run, current);
    const wanted = await rollout.settle(undefined);
    if (wanted.what === 'lastHealthy') return wanted;
  } else {
    await lookAtLastSuccessful(run, current);
  }
  throw failure ?? waitsForSync(run, renderRef);
}

/** All of the render was applied, and nothing else since. */
function stands({ status }: Release, { plan, rendered, inventory }: CurrentRender): boolean {
  if (status?.lastSuccessful?.renderRef !== rendered.renderRef) return false;
  return objectsOfPlan(plan).every(({ key }) => {
    const { renderRef = rendered.renderRef } = inventory.get(key) ?? {};
    return renderRef === rendered.renderRef;
  });
}

function isBegun(inventory: Inventory, key: PlannedObject['key'], renderRef: string): boolean {
  return inventory.get(key)?.health?.renderRef === renderRef;
}

async function lookAtStanding(run: Reconcile, current: CurrentRender): Promise<void> {
  const { draft } = run;
  await lookAt(run, current);
  draft.stands(current.plan);
}

/** A new render waits: what was applied before it stands, where the store still has it. */
async function lookAtLastSuccessful(run: Reconcile, { store, inventory }: CurrentRender): Promise<void> {
  const { services, release } = run;
  const { lastSuccessful } = release.status ?? {};
  if (lastSuccessful === undefined) return;
  const { renderRef, revision } = lastSuccessful;
  try {
    const rendered = await services.renders.load(services.target, release, renderRef);
    const plan = planRender(rendered, release.spec.syncPolicy?.defaultStrategy);
    const standing = { plan, rendered, revision, store, inventory };
    if (stands(release, standing)) await lookAt(run, standing);
  } catch (error) {
    if (!(error instanceof RenderUnreadable)) throw error;
    services.log.warn({ release: releaseKey(release) }, `drift is not looked for: ${error.message}`);
  }
}

async function lookAt(run: Reconcile, current: CurrentRender): Promise<void> {
  const { plan, inventory, rendered } = current;
  listBeforeApply(inventory, plan, rendered.renderRef);
  const drifted = await compareRender(run, current, objectsOfPlan(plan));
  recordOwn(run, current);
  run.drifted = drifted.length;
  run.draft.drifted(driftText(run, drifted));
  await assess(run, current);
}

/** An inventory that somebody has emptied gets its objects again, where they are this Release's. */
function recordOwn({ services, release }: Reconcile, { plan, inventory }: CurrentRender): void {
  const followed = services.observer.of(releaseKey(release));
  const own = labelledOwner({ metadata: { name: '', labels: ownerLabels(release) } });
  for (const { key } of objectsOfPlan(plan)) {
    const uid = followed.uidOf(key);
    if (inventory.get(key)?.uid === undefined && uid !== '' && followed.ownerOf(key) === own)
      inventory.applied(key, uid);
  }
}

async function assess(run: Reconcile, current: CurrentRender): Promise<void> {
  const { draft, release, signal } = run;
  const { plan, rendered, revision } = current;
  if (isAssessed(release)) assessHealth(run, current);
  else {
    draft.healthy({ renderRef: rendered.renderRef, revision });
    draft.notAssessed();
  }
  refreshWaves(run, current, plan);
  signal.throwIfAborted();
  await writeInventory(run, current);
}

function refreshWaves(run: Reconcile, current: CurrentRender, plan: Plan): void {
  const { draft, release } = run;
  const { waves } = draft.status;
  if (waves !== undefined && isAssessed(release))
    draft.waves(withHealth(waves, plan, (key) => healthOf(run, current, key)));
}

function waitsForSync({ release, draft }: Reconcile, renderRef: string): Halt {
  const { name, namespace = '' } = release.metadata;
  const message = `render ${renderRef} waits for a sync request, since spec.syncPolicy.mode is Manual: kubectl convoy release sync ${name} -n ${namespace}`;
  return new Halt(draft.withDrift(message), { reason: 'WaitingForSync', resume: 'change' });
}

/** Stages whose failure says that a request for this render has failed. */
const OF_REQUEST: ReadonlySet<FailureStage> = new Set([
  'DryRun',
  'PreSync',
  'Apply',
  'Wave',
  'Prune',
  'PostSync',
]);

/** What the last attempt at this render came to, which stands until somebody asks for another one. */
function failureBefore({ status }: Release, renderRef: string): Halt | undefined {
  const { renderRef: attempted, failure } = status?.lastAttempted ?? {};
  const { reason = '' } = conditionOf(status?.conditions, 'Ready') ?? {};
  if (attempted !== renderRef || failure === undefined || !OF_REQUEST.has(failure.stage)) return undefined;
  if (!isReason(reason)) return undefined;
  return new Halt(failure.message, { reason, stage: failure.stage, resume: 'change' });
}

function isReason(reason: string): reason is AppliedReason | ReadyReason {
  return reason in APPLIED_REASONS || reason in READY_REASONS;
}
