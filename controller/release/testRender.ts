import { FAILURE_STAGES } from '../../api/conditions.ts';
import { labelledOwner, ownerLabels } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';
import { objectsOfPlan, type PlannedObject } from '../../engine/plan/plan.ts';
import { refuseOwned } from '../apply/adoption.ts';
import { dryRun } from '../apply/dryRun.ts';
import { releaseKey } from '../services.ts';
import { conditionOf } from './conditions.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';

/**
 * Finds out what the API server or another Release would say against the render, before anything changes. The dry run
 * is made once for each render, and not for a forced sync; whose an object is counts always.
 * @param followed ends when the observer knows what is there of the objects
 * @throws Halt `DryRunFailed`, `OwnershipConflict`
 */
export async function testRender(
  run: Reconcile,
  current: Pick<CurrentRender, 'plan' | 'rendered' | 'inventory'>,
  { isForced, followed }: { isForced: boolean; followed: Promise<void> },
): Promise<void> {
  const { services, release } = run;
  const { inventory } = current;
  const known = inventory.uids();
  const [foreign] = await Promise.all([foreignObjects(run, current, known, isForced), followed]);
  const objects = new Set([...foreign, ...labelledForOthers(run, current)]);
  if (objects.size === 0) return;
  const { home, target } = services;
  await refuseOwned({ target, home: home.client, release, inventory, known, objects: [...objects] });
}

/** Objects that may exist, and that this Release has not applied as far as its inventory knows. */
async function foreignObjects(
  { services, release, signal }: Reconcile,
  { plan, rendered, inventory }: Pick<CurrentRender, 'plan' | 'rendered' | 'inventory'>,
  known: ReadonlySet<string>,
  isForced: boolean,
): Promise<PlannedObject[]> {
  const isApplied = ({ key }: PlannedObject): boolean => inventory.get(key)?.uid !== undefined;
  if (isForced) return objectsOfPlan(plan).filter((planned) => !isApplied(planned));
  if (hasPassedDryRun(release, rendered.renderRef)) return [];
  const { bodies, unknown } = rendered;
  const found = await dryRun({ cluster: services.target, plan, bodies, unknown, signal });
  return [
    ...found.existing.filter(({ uid = '' }) => !known.has(uid)).map(({ planned }) => planned),
    ...found.untested.filter((planned) => !isApplied(planned)),
  ];
}

/** Another Release may have taken an object over, or made it in the same instant: its labels tell, without a request. */
function labelledForOthers(
  { services, release }: Reconcile,
  { plan }: Pick<CurrentRender, 'plan'>,
): PlannedObject[] {
  const followed = services.observer.of(releaseKey(release));
  const own = labelledOwner({ metadata: { name: '', labels: ownerLabels(release) } });
  return objectsOfPlan(plan).filter(({ key }) => {
    const owner = followed.ownerOf(key);
    return owner !== '' && owner !== own;
  });
}

/** A render that got past its dry run is not tested again by later reconciles of it. */
function hasPassedDryRun({ status }: Release, renderRef: string): boolean {
  if (status?.lastSuccessful?.renderRef === renderRef) return true;
  // It was taken up, and has waited.
  if (conditionOf(status?.conditions, 'Applied')?.reason === 'WaitingForSync') return false;
  const attempt = status?.lastAttempted;
  if (attempt?.renderRef !== renderRef) return false;
  if (attempt.failure !== undefined) return AFTER_DRY_RUN.has(attempt.failure.stage);
  return !HELD_BEFORE_DRY_RUN.has(conditionOf(status?.conditions, 'Applied')?.reason ?? '');
}

/** What can be waited for before the dry run. */
const HELD_BEFORE_DRY_RUN: ReadonlySet<string> = new Set(['WaitingForClusterWave']);

/** Stages stand in the order of a reconcile. */
const AFTER_DRY_RUN: ReadonlySet<string> = new Set(
  FAILURE_STAGES.slice(FAILURE_STAGES.indexOf('DryRun') + 1),
);
