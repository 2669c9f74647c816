import { FINALIZER } from '../../api/annotations.ts';
import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { deleteObjects, type Obstacle } from '../delete/deleteObjects.ts';
import { DiscoveryIncomplete } from '../../kube/discovery.ts';
import { ApiError, isConflict, isForbidden } from '../../kube/errors.ts';
import { InventoryStore } from '../inventory/store.ts';
import { releaseKey, type Services } from '../services.ts';
import { announce } from './announce.ts';
import { releaseFinalizer } from './finalizer.ts';
import { Halt } from './halt.ts';
import { isForced, isOrphaning, tellLeftBehind } from './letGo.ts';
import type { Next } from './next.ts';
import { StatusDraft } from './statusDraft.ts';
import { writeStatus } from './writeStatus.ts';

/** Going on later costs little, and who deletes a Release looks at what holds it (ms). */
const BRIEF_WAIT_MS = 1_500;

/**
 * Deletes what the Release applied, then its inventory, then lets it go (waves.md, "Delete waves"). What blocks stands
 * in the status. `spec.suspend` does not stop a deletion; deletionPolicy Orphan and the annotation `force-finalize` let the
 * Release go without its objects.
 */
export async function removeRelease(
  services: Services,
  release: Release,
  signal: AbortSignal,
): Promise<Next> {
  const { client } = services.home;
  const key = releaseKey(release);
  services.sources.unfollow(key);
  services.observer.forget(key);
  if (!(release.metadata.finalizers ?? []).includes(FINALIZER)) return { retry: false };

  const store = new InventoryStore(client, release);
  const obstacle = isOrphaning(release)
    ? undefined
    : await removeObjects(services, release, store, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return obstacleIn(error);
      });
  if (obstacle !== undefined && !isForced(release)) return await reportObstacle(services, release, obstacle);

  const left = (await store.read()).entries();
  if (left.length > 0) tellLeftBehind(services, release, left, obstacle);
  const refusal = await letGo(services, release, store).catch(obstacleIn);
  if (refusal !== undefined) return await reportObstacle(services, release, refusal);
  services.log.info({ release: key }, left.length > 0 ? 'deleted' : 'deleted with all that it had applied');
  return { retry: false };
}

/** Takes Convoy's finalizer off what it keeps of the Release, which goes then, and off the Release. */
async function letGo(
  { home, renders }: Services,
  release: Release,
  store: InventoryStore,
): Promise<undefined> {
  await renders.clear(release);
  await store.clear();
  await releaseFinalizer(home.client, release);
}

async function removeObjects(
  services: Services,
  release: Release,
  store: InventoryStore,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  const inventory = await store.read();
  const key = releaseKey(release);
  try {
    return await deleteObjects({
      cluster: services.home,
      release,
      inventory,
      entries: inventory.entries(),
      briefWaitMs: BRIEF_WAIT_MS,
      signal,
      settle: (object) => inventory.drop(object),
      onLeft: (object, why) => {
        const message = `${describe(object)} is left behind: ${why}`;
        services.events.record({
          regarding: release,
          type: 'Warning',
          reason: 'LeftBehind',
          action: 'Delete',
          message,
        });
      },
      onGone: () => services.metrics.deleted.inc(),
      wakeWhen: (gone) => services.wakeups.add(key, gone),
    });
  } finally {
    if (!signal.aborted) await store.write(inventory);
  }
}

/**
 * Who waits for a deletion looks at the status: what the cluster answers stands there.
 * @throws what is no answer, and conflicts: the Release or its inventory is to be read again
 */
function obstacleIn(error: unknown): Obstacle {
  const isAnswer = error instanceof ApiError || error instanceof DiscoveryIncomplete;
  if (!isAnswer || isConflict(error)) throw error;
  const advice = isForbidden(error) ? ' – grant the controller this right' : '';
  return { message: `${error.message}${advice}`, resume: 'retry' };
}

async function reportObstacle(services: Services, release: Release, obstacle: Obstacle): Promise<Next> {
  const draft = new StatusDraft(release, services.now());
  draft.halted(new Halt(obstacle.message, { reason: 'Deleting', resume: obstacle.resume }));
  const written = await writeStatus(services.home.client, release, draft.status);
  if (written) announce(services, release, draft.status);
  return { retry: obstacle.resume !== 'event' };
}
