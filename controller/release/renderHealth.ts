import type { ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import type { RolloutHealth } from '../../engine/rollout/rollout.ts';
import type { ObjectHealth } from '../../engine/waves/verdict.ts';
import { releaseKey } from '../services.ts';
import { healthOfRender, recordHealth } from './recordHealth.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';

export function isAssessed({ spec }: Release): boolean {
  return spec.healthAssessment !== undefined;
}

/** Health of an object for a render. What is purged counts as Healthy (waves.md, "Purge order"). */
export function healthOf(
  run: Reconcile,
  { inventory, rendered }: CurrentRender,
  key: ObjectKey,
): ObjectHealth | undefined {
  const entry = inventory.get(key);
  if (entry?.purged !== true)
    return run.services.observer.of(releaseKey(run.release)).healthOf(key, rendered.renderRef);
  return { state: 'Healthy', message: 'purged', since: Date.parse(entry.health?.since ?? '') || 0 };
}

/** Writes down how healthy the render is, as far as it is applied; the rollout is decided by the same. */
export function assessHealth(run: Reconcile, current: CurrentRender): void {
  const { draft } = run;
  const { rendered, revision, inventory, plan } = current;
  const { renderRef } = rendered;
  const health = recordHealth(inventory, plan, renderRef, (key) => healthOf(run, current, key));
  draft.assessed(health);
  if (health.reason === 'AllHealthy') draft.healthy({ renderRef, revision });
  const { counts, missing, unhealthy } = health;
  run.assessed = { renderRef, counts, missing, unhealthy };
}

/** What is known of a render before it is applied; nothing where it has no objects, or none is assessed. */
export function healthBefore(run: Reconcile, current: CurrentRender): RolloutHealth | undefined {
  const { plan, rendered } = current;
  if (!isAssessed(run.release) || plan.waves.length === 0) return undefined;
  const { counts, missing, unhealthy } = healthOfRender(plan, (key) => healthOf(run, current, key));
  return { renderRef: rendered.renderRef, counts, missing, unhealthy };
}

/** What its apply has left; without spec.healthAssessment every render is healthy then. */
export function healthAfter(run: Reconcile, { rendered }: CurrentRender): RolloutHealth | undefined {
  if (isAssessed(run.release)) return run.assessed;
  const counts = { healthy: 0, progressing: 0, degraded: 0, unknown: 0 };
  return { renderRef: rendered.renderRef, counts, missing: 0, unhealthy: '' };
}
