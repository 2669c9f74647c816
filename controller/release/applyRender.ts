import { isStaged } from '../../engine/waves/stages.ts';
import { applyWaves } from '../apply/applyWaves.ts';
import type { Gatekeeper } from '../apply/gate.ts';
import { releaseKey } from '../services.ts';
import { keepRender } from './keepRender.ts';
import { listBeforeApply } from './listing.ts';
import { prune } from './prune.ts';
import { purge } from './purge.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { warnOfBackend } from './warnOfBackend.ts';
import { withHealth } from './recordHealth.ts';
import { assessHealth, healthOf, isAssessed } from './renderHealth.ts';
import { writeInventory } from './writeInventory.ts';

/**
 * Waves, then prune. The inventory is written before anything is applied and after it, however that ends.
 * @throws Halt of the step that ended it
 */
export async function applyRender(run: Reconcile, current: CurrentRender): Promise<void> {
  const { services, release, draft, signal } = run;
  const { plan, rendered, revision, store, inventory } = current;
  const render = { renderRef: rendered.renderRef, revision };
  listBeforeApply(inventory, plan, render.renderRef);
  await store.write(inventory, services.now().getTime());
  await keepRender(run, rendered);
  if (!isAssessed(release)) draft.healthy(render);
  try {
    await applyInWaves(run, current);
    draft.applied(render, plan);
    if (!isAssessed(release)) draft.notAssessed();
    await prune({ services, release, inventory, plan, signal });
  } finally {
    if (isAssessed(release)) assessHealth(run, current);
    await writeInventory(run, current);
  }
}

async function applyInWaves(run: Reconcile, current: CurrentRender): Promise<void> {
  const { services, release, draft, signal } = run;
  const { plan, rendered, inventory } = current;
  const { renderRef, bodies, unknown } = rendered;
  const { now } = services;
  const observer = services.observer.of(releaseKey(release));
  const waves = draft.beginWaves();
  const isSuccessful = release.status?.lastSuccessful?.renderRef === renderRef;
  const keeper: Gatekeeper = {
    assessed: isAssessed(release),
    healthOf: (key) => healthOf(run, current, key),
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
      cluster: services.target,
      observer,
      renderRef,
      plan,
      bodies,
      unknown,
      inventory,
      signal,
      keeper,
      isStaged: (wave) => keeper.assessed && isStaged(wave, plan.defaultStrategy),
      onWithoutBackend: (planned) => warnOfBackend(services, release, planned),
      onFault: services.watchFault,
      purge: (next) => purge(run, current, next, keeper.assessed ? keeper.healthOf : undefined),
      onWaveStarted: (wave) => waves.started(wave, now()),
      onWaveCompleted: (wave) => waves.completed(wave, now()),
      onApplied: (result) => {
        waves.applied();
        services.metrics.applied.inc({ result });
      },
      wakeWhen: (ready) => services.wakeups.add(releaseKey(release), ready),
    });
  } finally {
    draft.waves(isAssessed(release) ? withHealth(waves.entries, plan, keeper.healthOf) : [...waves.entries]);
  }
}
