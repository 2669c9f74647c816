import type { Release } from '../../api/release.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isStaged } from '../../engine/waves/stages.ts';
import { applyWaves } from '../apply/applyWaves.ts';
import type { Gatekeeper } from '../apply/gate.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { InventoryStore } from '../inventory/store.ts';
import type { Rendered } from '../render/renderer.ts';
import { releaseKey } from '../services.ts';
import { listBeforeApply } from './listing.ts';
import { prune } from './prune.ts';
import type { Reconcile } from './reconcileRun.ts';
import { warnOfBackend } from './warnOfBackend.ts';
import { recordHealth, withHealth } from './recordHealth.ts';
import type { RenderId } from './statusDraft.ts';

/** The render that is applied, and what is known of the objects of the Release. */
export interface CurrentRender {
  plan: Plan;
  rendered: Rendered;
  revision: string;
  store: InventoryStore;
  inventory: Inventory;
}

/**
 * Waves, then prune. The inventory is written before anything is applied and after it, however that ends.
 * @throws Halt of the step that ended it
 */
export async function applyRender(run: Reconcile, current: CurrentRender): Promise<void> {
  const { services, release, draft, signal } = run;
  const { plan, rendered, revision, store, inventory } = current;
  const render = { renderRef: rendered.renderRef, revision };
  listBeforeApply(inventory, plan, render.renderRef);
  await store.write(inventory);
  if (!isAssessed(release)) draft.healthy(render);
  try {
    await applyInWaves(run, current);
    draft.applied(render, plan);
    await prune({ services, release, inventory, plan, signal });
  } finally {
    assessHealth(run, plan, inventory, render);
    if (!signal.aborted) await store.write(inventory);
    draft.inventory(inventory, store.shards);
  }
}

async function applyInWaves(
  { services, release, draft, signal }: Reconcile,
  { plan, rendered: { renderRef, bodies }, inventory }: CurrentRender,
): Promise<void> {
  const { observer, now } = services;
  const waves = draft.beginWaves();
  const isSuccessful = release.status?.lastSuccessful?.renderRef === renderRef;
  const keeper: Gatekeeper = {
    assessed: isAssessed(release),
    healthOf: (key) => observer.healthOf(key, renderRef),
    isWatched: (planned) => observer.isWatched(planned),
    wasApplied: (key) =>
      isSuccessful ||
      observer.wasApplied(key, renderRef) ||
      inventory.get(key)?.health?.renderRef === renderRef,
    startedAt: (wave) => waves.startOf(wave),
    now: () => now().getTime(),
  };
  try {
    await applyWaves({
      cluster: services.home,
      observer,
      renderRef,
      plan,
      bodies,
      inventory,
      signal,
      keeper,
      isStaged: (wave) => keeper.assessed && isStaged(wave, plan.defaultStrategy),
      onWithoutBackend: (planned) => warnOfBackend(services, release, planned),
      onFault: services.watchFault,
      onWaveStarted: (wave) => waves.started(wave, now()),
      onWaveCompleted: (wave) => waves.completed(wave, now()),
      onApplied: (result) => {
        waves.applied();
        services.metrics.applied.inc({ result });
      },
      wakeWhen: (ready) => services.wakeups.add(releaseKey(release), ready),
    });
  } finally {
    draft.waves(
      isAssessed(release) ? withHealth(waves.entries, observer, plan, renderRef) : [...waves.entries],
    );
  }
}

/** Health of the render, as far as it is applied. */
function assessHealth(
  { services, release, draft }: Reconcile,
  plan: Plan,
  inventory: Inventory,
  render: RenderId,
): void {
  if (!isAssessed(release)) {
    draft.notAssessed();
    return;
  }
  const health = recordHealth(services.observer, inventory, plan, render.renderRef);
  draft.assessed(health);
  if (health.reason === 'AllHealthy') draft.healthy(render);
}

function isAssessed({ spec }: Release): boolean {
  return spec.healthAssessment !== undefined;
}
