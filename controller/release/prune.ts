import type { Plan } from '../../engine/plan/plan.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { deleteObjects } from '../delete/deleteObjects.ts';
import { entryKey, type Inventory } from '../inventory/inventory.ts';
import { releaseKey, type Services } from '../services.ts';
import { Halt } from './halt.ts';
import { redundantEntries } from './listing.ts';

/** A hold would apply the whole render again, and a Namespace takes some seconds to go (ms). */
const BRIEF_WAIT_MS = 10_000;

export interface PruneRun {
  services: Services;
  release: Release;
  inventory: Inventory;
  plan: Plan;
  signal: AbortSignal;
}

/**
 * Removes what the inventory lists and the render no longer has; only after every wave is applied (apply.md). With
 * `prune.orphaned: false` such objects are left where they are and dropped from the inventory.
 * @throws Halt `PruneFailed`; what could not be removed stays in the inventory and is tried again
 */
export async function prune({ services, release, inventory, plan, signal }: PruneRun): Promise<void> {
  const entries = redundantEntries(inventory, plan);
  if (entries.length === 0) return;
  if (!(release.spec.syncPolicy?.prune?.orphaned ?? DEFAULTS.pruneOrphaned)) {
    for (const entry of entries) inventory.drop(entryKey(entry));
    return;
  }
  const obstacle = await deleteObjects({
    cluster: services.target,
    release,
    inventory,
    entries,
    briefWaitMs: BRIEF_WAIT_MS,
    signal,
    settle: (key) => inventory.drop(key),
    onLeft: (key, why) => {
      const message = `${describe(key)} is no longer in the source, but left: ${why}`;
      services.events.record({
        regarding: release,
        type: 'Warning',
        reason: 'LeftBehind',
        action: 'Prune',
        message,
      });
    },
    onGone: () => services.metrics.deleted.inc(),
    wakeWhen: (gone) => services.wakeups.add(releaseKey(release), gone),
  });
  if (obstacle !== undefined) {
    throw new Halt(obstacle.message, { reason: 'PruneFailed', stage: 'Prune', resume: obstacle.resume });
  }
}
