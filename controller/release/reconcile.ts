import { FAILURE_STAGES } from '../../api/conditions.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { Release } from '../../api/release.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { refuseOwned } from '../apply/adoption.ts';
import { applyWaves } from '../apply/applyWaves.ts';
import { dryRun } from '../apply/dryRun.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { InventoryStore } from '../inventory/store.ts';
import type { Rendered } from '../render/renderer.ts';
import { releaseKey, type Services } from '../services.ts';
import { fetchSource } from '../source/source.ts';
import { announce } from './announce.ts';
import { holdFinalizer } from './finalizer.ts';
import { Halt, haltOf } from './halt.ts';
import { listBeforeApply } from './listing.ts';
import type { Next } from './next.ts';
import { planRender } from './planRender.ts';
import { prune } from './prune.ts';
import { refuseUnsupported } from './refuseUnsupported.ts';
import { removeRelease } from './removeRelease.ts';
import { StatusDraft } from './statusDraft.ts';
import { warnOfRender } from './warnOfRender.ts';
import { writeStatus } from './writeStatus.ts';

/** What one reconcile carries from step to step. */
interface Reconcile {
  services: Services;
  release: Release;
  draft: StatusDraft;
  signal: AbortSignal;
}

/**
 * One reconcile of one Release, in the order of rollout.md: source → render → dry run → waves → prune → record. Each
 * step that ends it early says why (Halt), and that becomes the status. All steps can run twice.
 * @throws ApiError, ConnectionError where the Release itself cannot be read or written: the queue tries again
 */
export async function reconcile(services: Services, read: Release, signal: AbortSignal): Promise<Next> {
  services.wakeups.clear(releaseKey(read));
  if (read.metadata.deletionTimestamp !== undefined) return await removeRelease(services, read, signal);

  const run: Reconcile = { services, release: read, draft: new StatusDraft(read, services.now()), signal };
  const next = await bringAbout(run).catch((error: unknown) => {
    signal.throwIfAborted();
    const halt = haltOf(error);
    run.draft.halted(halt);
    return afterHalt(halt, read);
  });
  const written = await writeStatus(services.home.client, run.release, run.draft.status);
  if (written) announce(services, read, run.draft.status);
  return next;
}

async function bringAbout(run: Reconcile): Promise<Next> {
  const { services, draft, signal } = run;
  if (run.release.spec.suspend === true)
    throw new Halt('suspended by spec.suspend', { reason: 'Suspended', resume: 'change' });
  refuseUnsupported(run.release);
  run.release = await holdFinalizer(services.home.client, run.release);

  await services.sources.follow(releaseKey(run.release), run.release, signal);
  const source = await fetchSource(services.home.client, run.release);
  draft.fetched(source.revision);

  const rendered = await services.renderer.render(services.home, run.release, source, signal);
  draft.attempting({ renderRef: rendered.renderRef, revision: source.revision });
  const plan = planRender(rendered);
  warnOfRender(services, run.release, rendered, plan);

  const store = new InventoryStore(services.home.client, run.release);
  const inventory = await store.read();
  if (!hasPassedDryRun(run.release, rendered.renderRef)) await testRender(run, plan, rendered, inventory);
  await applyAndPrune(run, plan, rendered, { store, inventory, revision: source.revision });
  draft.ready();
  return { retry: false, afterMs: intervalMs(run.release) };
}

/** Finds out what the API server or another Release would say against the render, before anything changes. */
async function testRender(
  { services, release, signal }: Reconcile,
  plan: Plan,
  { bodies }: Rendered,
  inventory: Inventory,
): Promise<void> {
  const existing = await dryRun({ cluster: services.home, plan, bodies, signal });
  const foreign = existing.filter((key) => inventory.get(key) === undefined);
  await refuseOwned(services.home, services.home.client, release, foreign);
}

/** The inventory is written before anything is applied and after it, however that ends. */
async function applyAndPrune(
  run: Reconcile,
  plan: Plan,
  rendered: Rendered,
  { store, inventory, revision }: { store: InventoryStore; inventory: Inventory; revision: string },
): Promise<void> {
  const { services, release, draft, signal } = run;
  const { renderRef } = rendered;
  listBeforeApply(inventory, plan, renderRef);
  await store.write(inventory);
  draft.healthy({ renderRef, revision });
  try {
    await applyPlan(run, plan, rendered, inventory);
    draft.applied({ renderRef, revision }, plan);
    await prune({ services, release, inventory, plan, signal });
  } finally {
    if (!signal.aborted) await store.write(inventory);
    draft.inventory(inventory, store.shards);
  }
}

async function applyPlan(
  run: Reconcile,
  plan: Plan,
  rendered: Rendered,
  inventory: Inventory,
): Promise<void> {
  const { services, release, draft, signal } = run;
  draft.beginWaves(plan);
  await applyWaves({
    cluster: services.home,
    plan,
    bodies: rendered.bodies,
    inventory,
    signal,
    onWaveStarted: (wave) => draft.waveStarted(wave, services.now()),
    onWaveCompleted: (wave) => draft.waveCompleted(wave, services.now()),
    onApplied: (created) => services.metrics.applied.inc({ result: created ? 'created' : 'configured' }),
    wakeWhen: (ready) => services.wakeups.add(releaseKey(release), ready),
  });
}

/** A render that got past its dry run is not tested again by later reconciles of it. */
function hasPassedDryRun({ status }: Release, renderRef: string): boolean {
  if (status?.lastSuccessful?.renderRef === renderRef) return true;
  const attempt = status?.lastAttempted;
  return attempt?.renderRef === renderRef && AFTER_DRY_RUN.has(attempt.failure?.stage ?? 'Apply');
}

/** Stages stand in the order of a reconcile. */
const AFTER_DRY_RUN: ReadonlySet<string> = new Set(
  FAILURE_STAGES.slice(FAILURE_STAGES.indexOf('DryRun') + 1),
);

function afterHalt(halt: Halt, release: Release): Next {
  if (halt.resume !== 'retry') return { retry: false, afterMs: intervalMs(release) };
  return { retry: true, ...(halt.retryAfterMs === undefined ? {} : { afterMs: halt.retryAfterMs }) };
}

function intervalMs(release: Release): number {
  return parseDuration(release.spec.interval ?? DEFAULTS.interval) ?? 600_000;
}
