import type { ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { isStaged } from '../../engine/waves/stages.ts';
import type { ObjectHealth } from '../../engine/waves/verdict.ts';
import { applyWaves } from '../apply/applyWaves.ts';
import type { Gatekeeper } from '../apply/gate.ts';
import type { Followed } from '../observer/followed.ts';
import { releaseKey } from '../services.ts';
import { keepRender } from './keepRender.ts';
import { listBeforeApply } from './listing.ts';
import { prune } from './prune.ts';
import { purge } from './purge.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { warnOfBackend } from './warnOfBackend.ts';
import { recordHealth, withHealth } from './recordHealth.ts';
import type { RenderId } from './statusDraft.ts';

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
  await keepRender(run, rendered);
  if (!isAssessed(release)) draft.healthy(render);
  try {
    await applyInWaves(run, current);
    draft.applied(render, plan);
    if (!isAssessed(release)) draft.notAssessed();
    await prune({ services, release, inventory, plan, signal });
  } finally {
    if (isAssessed(release)) assessHealth(run, current, render);
    if (!signal.aborted) await store.write(inventory);
    draft.inventory(inventory, store.shards);
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
    healthOf: (key) => healthOf(observer, current, key),
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

/** Health of the render, as far as it is applied. */
function assessHealth(
  { services, release, draft }: Reconcile,
  current: CurrentRender,
  render: RenderId,
): void {
  const health = recordHealth(current.inventory, current.plan, render.renderRef, (key) =>
    healthOf(services.observer.of(releaseKey(release)), current, key),
  );
  draft.assessed(health);
  if (health.reason === 'AllHealthy') draft.healthy(render);
}

/** What is purged counts as Healthy (waves.md, "Purge order"). */
function healthOf(
  observer: Followed,
  { inventory, rendered }: CurrentRender,
  key: ObjectKey,
): ObjectHealth | undefined {
  const entry = inventory.get(key);
  if (entry?.purged !== true) return observer.healthOf(key, rendered.renderRef);
  return { state: 'Healthy', message: 'purged', since: Date.parse(entry.health?.since ?? '') || 0 };
}

function isAssessed({ spec }: Release): boolean {
  return spec.healthAssessment !== undefined;
}
