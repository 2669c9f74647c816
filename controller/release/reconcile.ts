import { FAILURE_STAGES } from '../../api/conditions.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { Release, ReleaseStatus } from '../../api/release.ts';
import type { SyncRequest } from '../../api/syncRequest.ts';
import { objectsOfPlan, type Plan } from '../../engine/plan/plan.ts';
import { refuseOwned } from '../apply/adoption.ts';
import { dryRun } from '../apply/dryRun.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { InventoryStore } from '../inventory/store.ts';
import type { Rendered } from '../render/renderer.ts';
import { releaseKey, type Services } from '../services.ts';
import { fetchSource } from '../source/source.ts';
import { announce } from './announce.ts';
import { applyRender } from './applyRender.ts';
import { holdFinalizer } from './finalizer.ts';
import { Halt, haltOf } from './halt.ts';
import type { Next } from './next.ts';
import { planRender } from './planRender.ts';
import type { Reconcile } from './reconcileRun.ts';
import { refuseUnsupported } from './refuseUnsupported.ts';
import { removeRelease } from './removeRelease.ts';
import { StatusDraft } from './statusDraft.ts';
import { authorise, requestApplied, requestHalted, takeRequest, waitingRequest } from './syncRequest.ts';
import { warnOfRender } from './warnOfRender.ts';
import { warnOfRequest } from './warnOfRequest.ts';
import { writeStatus } from './writeStatus.ts';

/**
 * One reconcile of one Release, in the order of rollout.md: sync request → source → render → dry run → waves → prune →
 * record. Each step that ends it early says why (Halt), and that becomes the status. All steps can run twice.
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
    requestHalted(run.draft.status, halt);
    return afterHalt(halt, run);
  });
  const written = await writeStatus(services.home.client, run.release, run.draft.status);
  if (written !== undefined) announce(services, read, run.draft.status);
  return next;
}

async function bringAbout(run: Reconcile): Promise<Next> {
  const { services, draft, signal } = run;
  const request = await takeSyncRequest(run);
  if (run.release.spec.suspend === true)
    throw new Halt('suspended by spec.suspend', { reason: 'Suspended', resume: 'change' });
  refuseUnsupported(run.release);
  run.release = await holdFinalizer(services.home.client, run.release);

  await services.sources.follow(releaseKey(run.release), run.release, signal);
  const source = await fetchSource(services.home.client, run.release);
  draft.fetched(source.revision);

  const rendered = await services.renderer.render(services.home, run.release, source, signal);
  const { renderRef } = rendered;
  draft.attempting({ renderRef, revision: source.revision });
  const active = authorise(draft.status, request, renderRef);
  if (request?.force === true) draft.restartWaves();
  const plan = planRender(rendered, run.release.spec.syncPolicy?.defaultStrategy);
  warnOfRender(services, run.release, rendered, plan);

  const store = new InventoryStore(services.home.client, run.release);
  const inventory = await store.read();
  const follow = services.observer.follow(
    releaseKey(run.release),
    objectsOfPlan(plan),
    (key) => inventory.get(key),
    signal,
  );
  const isTested = active?.force === true || hasPassedDryRun(run.release, renderRef);
  await Promise.all([follow, isTested ? undefined : testRender(run, plan, rendered, inventory)]);
  if (request !== undefined) services.observer.doubt(releaseKey(run.release));
  await applyRender(run, { plan, rendered, revision: source.revision, store, inventory });
  requestApplied(draft.status);
  draft.done();
  return { retry: false, afterMs: intervalMs(run.release) };
}

/** A sync request is marked as handled at once, so that no crash makes it be handled twice (rollout.md, "Sync requests"). */
async function takeSyncRequest(run: Reconcile): Promise<SyncRequest | undefined> {
  const { services, release, draft } = run;
  const request = waitingRequest(release);
  if (request === undefined) return undefined;
  if ('invalid' in request) {
    warnOfRequest(services, release, request.invalid);
    return undefined;
  }
  const { status } = draft;
  takeRequest(status, release, request, draft.now);
  const taken: ReleaseStatus = {
    ...release.status,
    ...(status.sync === undefined ? {} : { sync: status.sync }),
  };
  run.release = (await writeStatus(services.home.client, release, taken)) ?? release;
  return request;
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

function afterHalt(halt: Halt, { services, release }: Reconcile): Next {
  const { resume, retryAfterMs, dueAt = Infinity } = halt;
  if (resume === 'retry')
    return { retry: true, ...(retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }) };
  const dueMs = Math.max(0, dueAt - services.now().getTime());
  return { retry: false, afterMs: Math.min(intervalMs(release), dueMs) };
}

function intervalMs(release: Release): number {
  return parseDuration(release.spec.interval ?? DEFAULTS.interval) ?? 600_000;
}
