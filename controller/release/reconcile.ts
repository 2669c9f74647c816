import { DEFAULTS } from '../../api/defaults.ts';
import { parseDuration } from '../../api/duration.ts';
import type { Release, ReleaseStatus } from '../../api/release.ts';
import type { SyncRequest } from '../../api/syncRequest.ts';
import { Redaction } from '../../engine/source/redaction.ts';
import { InventoryStore } from '../inventory/store.ts';
import { releaseKey, type Services } from '../services.ts';
import { announce } from './announce.ts';
import { holdFinalizer } from './finalizer.ts';
import { collectRenders } from './keepRender.ts';
import { Halt, haltOf } from './halt.ts';
import type { Next } from './next.ts';
import { planRender } from './planRender.ts';
import type { Reconcile } from './reconcileRun.ts';
import { refuseUnsupported } from './refuseUnsupported.ts';
import { removeRelease } from './removeRelease.ts';
import { renderOf } from './renderOf.ts';
import { rollOut } from './rollOut.ts';
import { StatusDraft } from './statusDraft.ts';
import { authorise, requestHalted, takeRequest, waitingRequest } from './syncRequest.ts';
import { warnOfRender } from './warnOfRender.ts';
import { warnOfRequest } from './warnOfRequest.ts';
import { writeStatus } from './writeStatus.ts';

/**
 * One reconcile of one Release, in the order of rollout.md: sync request → source → render → rollout → dry run → waves →
 * prune → record. Each step that ends it early says why (Halt), and that becomes the status. All steps can run twice.
 * @throws ApiError, ConnectionError where the Release itself cannot be read or written: the queue tries again
 */
export async function reconcile(services: Services, read: Release, signal: AbortSignal): Promise<Next> {
  services.wakeups.clear(releaseKey(read));
  if (read.metadata.deletionTimestamp !== undefined) return await removeRelease(services, read, signal);

  const redaction = new Redaction();
  const draft = new StatusDraft(read, services.now());
  const unknown = { assessed: undefined, lookAt: undefined };
  const run: Reconcile = { services, release: read, draft, signal, redaction, ...unknown };
  const next = await bringAbout(run).catch((error: unknown) => {
    signal.throwIfAborted();
    const halt = haltOf(error);
    halt.message = redaction.apply(halt.message);
    run.draft.halted(halt);
    requestHalted(run.draft.status, halt);
    return afterHalt(halt, run);
  });
  const written = await writeStatus(services.home.client, run.release, run.draft.status);
  if (written !== undefined) announce(services, read, run.draft.status);
  await collectRenders(run);
  return { ...next, release: written ?? run.release };
}

async function bringAbout(run: Reconcile): Promise<Next> {
  const { services, draft, signal } = run;
  const request = await takeSyncRequest(run);
  if (run.release.spec.suspend === true)
    throw new Halt('suspended by spec.suspend', { reason: 'Suspended', resume: 'change' });
  refuseUnsupported(run.release);
  await services.rules.ready(run.release, signal);
  run.release = await holdFinalizer(services.home.client, run.release);

  const { rendered, revision } = await renderOf(run);
  const { renderRef } = rendered;
  draft.attempting({ renderRef, revision });
  const active = authorise(draft.status, request, renderRef);
  if (request?.force === true) draft.restartWaves();
  const plan = planRender(rendered, run.release.spec.syncPolicy?.defaultStrategy);
  warnOfRender(run, rendered, plan);

  const store = new InventoryStore(services.home.client, run.release);
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
  run.release = (await writeStatus(services.home.client, release, taken)) ?? release;
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

/** A rollout that is open is looked at in time, whatever else is waited for. */
function inTime(next: Next, { lookAt, services }: Reconcile): Next {
  if (lookAt === undefined) return next;
  return { ...next, lookInMs: Math.max(0, lookAt - services.now().getTime()) };
}

function intervalMs(release: Release): number {
  return parseDuration(release.spec.interval ?? DEFAULTS.interval) ?? 600_000;
}
