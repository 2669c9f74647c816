import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import { RESOURCES } from '../../api/group.ts';
import type { Release, ReleaseStatus } from '../../api/release.ts';
import type { SyncRequest } from '../../api/syncRequest.ts';
import { Redaction } from '../../engine/source/redaction.ts';
import type { Clusters } from '../clusters/clusters.ts';
import { InventoryStore } from '../inventory/store.ts';
import { releaseKey, type Services } from '../services.ts';
import { announce } from './announce.ts';
import { holdFinalizer } from './finalizer.ts';
import { collectRenders } from './keepRender.ts';
import { Halt, haltOf } from './halt.ts';
import { isLight } from '../render/rendered.ts';
import type { Next } from './next.ts';
import { planRender } from './planRender.ts';
import type { Reconcile } from './reconcileRun.ts';
import { refuseOutside } from './refuseOutside.ts';
import { refuseUnsupported } from './refuseUnsupported.ts';
import { removeRelease } from './removeRelease.ts';
import { renderOf } from './renderOf.ts';
import { rollOut } from './rollOut.ts';
import { StatusDraft } from './statusDraft.ts';
import { authorise, requestHalted, takeRequest, waitingRequest } from './syncRequest.ts';
import { warnOfRender } from './warnOfRender.ts';
import { warnOfRequest } from './warnOfRequest.ts';
import { writeStatus } from '../writeStatus.ts';

/**
 * One reconcile of one Release, in the order of rollout.md: sync request → source → render → rollout → cluster wave →
 * dry run → waves → prune → record. Each step that ends it early says why (Halt), and that becomes the status. All steps can run twice.
 * @throws ApiError, ConnectionError where the Release itself cannot be read or written: the queue tries again
 */
export async function reconcile(
  services: Services,
  clusters: Clusters,
  read: Release,
  signal: AbortSignal,
): Promise<Next> {
  services.wakeups.clear(releaseKey(read));
  if (read.metadata.deletionTimestamp !== undefined)
    return await removeRelease(services, clusters, read, signal);

  const redaction = new Redaction();
  const draft = new StatusDraft(read, services.now());
  const unknown = { isLight: undefined, assessed: undefined, lookAt: undefined, writeAt: undefined };
  const run: Reconcile = { services, release: read, draft, signal, redaction, drifted: 0, ...unknown };
  const next = await bringAbout(run, clusters).catch((error: unknown) => {
    signal.throwIfAborted();
    const halt = haltOf(error);
    halt.message = redaction.apply(halt.message);
    run.draft.halted(halt);
    requestHalted(run.draft.status, halt);
    return afterHalt(halt, run);
  });
  const written = await writeStatus(services.home.client, RESOURCES.Release, run.release, run.draft.status);
  if ((written ?? run.release) !== read) announce(services, read, run.draft.status);
  run.services.observer.check(releaseKey(read), intervalMs(run.release));
  services.metrics.drifted(releaseKey(read), run.drifted);
  await collectRenders(run);
  const light = run.isLight === undefined ? {} : { isLight: run.isLight };
  return { ...next, ...light, release: written ?? run.release };
}

async function bringAbout(run: Reconcile, clusters: Clusters): Promise<Next> {
  const { draft, signal } = run;
  const request = await takeSyncRequest(run);
  if (run.release.spec.suspend === true)
    throw new Halt('suspended by spec.suspend', { reason: 'Suspended', resume: 'change' });
  if (await clusters.isPaused(run.release, signal))
    throw new Halt('its Cluster is paused by spec.paused', { reason: 'Suspended', resume: 'event' });
  refuseUnsupported(run.release);
  const services = await clusters.of(run.release, signal);
  run.services = services;
  await services.rules.ready(run.release, signal);
  run.release = await holdFinalizer(services.home.client, RESOURCES.Release, run.release);

  const { rendered, revision } = await renderOf(run);
  run.isLight = isLight(rendered);
  const { renderRef } = rendered;
  draft.attempting({ renderRef, revision });
  const plan = planRender(rendered, run.release.spec.syncPolicy?.defaultStrategy);
  refuseOutside(services.target, plan);
  const active = authorise(draft.status, request, renderRef);
  if (request?.force === true) draft.restartWaves();
  warnOfRender(run, rendered, plan);

  const store = new InventoryStore(services.home.client, run.release, services.inventories);
  const inventory = await store.read();
  const current = { plan, rendered, revision, store, inventory };
  await rollOut(run, current, { taken: request, active });
  draft.done();
  return inTime({ retry: false, afterMs: intervalMs(run.release) }, run);
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
  run.release = (await writeStatus(services.home.client, RESOURCES.Release, release, taken)) ?? release;
  return request;
}

function afterHalt(halt: Halt, run: Reconcile): Next {
  const { services, release } = run;
  const { resume, retryAfterMs, dueAt = Infinity } = halt;
  if (resume === 'retry')
    return inTime({ retry: true, ...(retryAfterMs === undefined ? {} : { afterMs: retryAfterMs }) }, run);
  const dueMs = Math.max(0, dueAt - services.now().getTime());
  return inTime({ retry: false, afterMs: Math.min(intervalMs(release), dueMs) }, run);
}

/** A rollout that is open is looked at, and an inventory written, in time, whatever else is waited for. */
function inTime(next: Next, { lookAt = Infinity, writeAt = Infinity, services }: Reconcile): Next {
  const dueAt = Math.min(lookAt, writeAt);
  if (dueAt === Infinity) return next;
  return { ...next, lookInMs: Math.max(0, dueAt - services.now().getTime()) };
}

function intervalMs(release: Release): number {
  return parseDuration(release.spec.interval ?? DEFAULTS.interval) ?? 600_000;
}
