import type { ObjectKey } from '../../api/object.ts';
import { describe } from '../../api/object.ts';
import {
  objectsOfPlan,
  objectsOfWave,
  type PlannedObject,
  type PlannedWave,
} from '../../engine/plan/plan.ts';
import { nameUnhealthy } from '../../engine/waves/message.ts';
import type { ObjectHealth } from '../../engine/waves/verdict.ts';
import { deleteObjects } from '../delete/deleteObjects.ts';
import { releaseKey } from '../services.ts';
import { Halt } from './halt.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';

/** A Job with its pods goes quickly, in the background (ms). */
const BRIEF_WAIT_MS = 10_000;

/**
 * At the end of a wave, removes the objects whose purge-order has come (waves.md, "Purge order"). The inventory says so
 * before they are deleted, so that no crash makes a Job run twice.
 * @param next the wave after it; undefined: it is the last one
 * @param healthOf of an object for this render; undefined where nothing is assessed
 * @throws Halt `WaitingForStage` until their waves are healthy, and where one cannot be removed
 */
export async function purge(
  run: Reconcile,
  current: CurrentRender,
  next: PlannedWave | undefined,
  healthOf: ((key: ObjectKey) => ObjectHealth | undefined) | undefined,
): Promise<void> {
  const { inventory, store } = current;
  const due = duePurges(current, next?.number ?? Infinity);
  if (due.length === 0) return;
  if (healthOf !== undefined) waitForHealth(current, due, healthOf);
  for (const { key } of due) inventory.purging(key);
  await store.write(inventory, run.services.now().getTime());
  await remove(run, current, due);
}

/** A wave number without objects ends with the wave before it. */
function duePurges({ plan, inventory }: CurrentRender, before: number): PlannedObject[] {
  return objectsOfPlan(plan).filter(
    ({ key, purgeOrder }) => purgeOrder !== undefined && purgeOrder < before && !inventory.isPurged(key),
  );
}

function waitForHealth(
  { plan }: CurrentRender,
  due: readonly PlannedObject[],
  healthOf: (key: ObjectKey) => ObjectHealth | undefined,
): void {
  const waves = new Set(due.map(({ wave }) => wave));
  const unhealthy = plan.waves
    .filter(({ number }) => waves.has(number))
    .flatMap(objectsOfWave)
    .map(({ key }) => ({ key, health: healthOf(key) }))
    .filter(({ health }) => health?.state !== 'Healthy');
  if (unhealthy.length === 0) return;
  const what = due.map(({ key }) => describe(key)).join(', ');
  throw new Halt(`${what}: purged when its wave is healthy: ${nameUnhealthy(unhealthy)}`, {
    reason: 'WaitingForStage',
    resume: 'event',
  });
}

async function remove(
  { services, release, signal }: Reconcile,
  { inventory }: CurrentRender,
  due: readonly PlannedObject[],
): Promise<void> {
  const obstacle = await deleteObjects({
    cluster: services.target,
    release,
    inventory,
    entries: due.flatMap(({ key }) => inventory.get(key) ?? []),
    briefWaitMs: BRIEF_WAIT_MS,
    signal,
    settle: (key) => inventory.purged(key),
    onLeft: (key, why) => {
      const message = `${describe(key)} is to be purged, but left: ${why}`;
      services.events.record({
        regarding: release,
        type: 'Warning',
        reason: 'LeftBehind',
        action: 'Purge',
        message,
      });
    },
    onGone: () => services.metrics.deleted.inc(),
    wakeWhen: (gone) => services.wakeups.add(releaseKey(release), gone),
  });
  if (obstacle === undefined) return;
  throw new Halt(`to be purged: ${obstacle.message}`, { reason: 'WaitingForStage', resume: obstacle.resume });
}
