import { FINALIZER } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import { describe } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { deleteObjects, type Obstacle } from '../delete/deleteObjects.ts';
import { DiscoveryIncomplete } from '../../kube/discovery.ts';
import { NAMESPACES } from '../../kube/builtIn.ts';
import { ApiError, isConflict, isForbidden } from '../../kube/errors.ts';
import { adviceOnRights, isAccessDenied } from '../../kube/refusal.ts';
import { ClusterGone, type Clusters } from '../clusters/clusters.ts';
import { endHooks } from '../hooks/endHooks.ts';
import { entryKey } from '../inventory/inventory.ts';
import { InventoryStore } from '../inventory/store.ts';
import { releaseKey, type Services } from '../services.ts';
import { announce } from './announce.ts';
import { releaseFinalizer } from './finalizer.ts';
import { Halt } from './halt.ts';
import { isForced, isOrphaning, tellLeftBehind, tellRendersLeft } from './letGo.ts';
import type { Next } from './next.ts';
import { restoreInventory } from './restoreInventory.ts';
import { StatusDraft } from './statusDraft.ts';
import { writeStatus } from '../writeStatus.ts';

/** Going on later costs little, and who deletes a Release looks at what holds it (ms). */
const BRIEF_WAIT_MS = 1_500;

/**
 * Deletes what the Release applied, then its inventory, then lets it go (waves.md, "Delete waves"). What blocks stands
 * in the status. `spec.suspend` does not stop a deletion; deletionPolicy Orphan and the annotation `force-finalize` let the
 * Release go without its objects.
 */
export async function removeRelease(
  home: Services,
  clusters: Clusters,
  release: Release,
  signal: AbortSignal,
): Promise<Next> {
  const { client } = home.home;
  const key = releaseKey(release);
  home.sources.unfollow(key);
  home.metrics.drifted(key, 0);
  if (!(release.metadata.finalizers ?? []).includes(FINALIZER)) return { retry: false };

  const store = new InventoryStore(client, release, home.inventories);
  const reached = await reachCluster(clusters, release, signal);
  const { services = home } = reached;
  services.observer.forget(key);
  const obstacle = await removeThere(reached, release, store, signal);
  if (obstacle !== undefined && !isForced(release) && reached.isGone !== true)
    return await reportObstacle(home, release, obstacle);

  const left = (await store.read()).entries();
  if (left.length > 0) tellLeftBehind(services, release, left, obstacle);
  const refusal = await letGo(services, release, store).catch(obstacleIn);
  if (refusal !== undefined) return await reportObstacle(services, release, refusal);
  services.log.info({ release: key }, left.length > 0 ? 'deleted' : 'deleted with all that it had applied');
  return { retry: false };
}

interface ReachedCluster {
  services?: Services;
  /** Why there are none. */
  obstacle?: Obstacle;
  /** No way to it will come back: what was applied there stays, and the Release does not wait for it. */
  isGone?: true;
}

async function reachCluster(
  clusters: Clusters,
  release: Release,
  signal: AbortSignal,
): Promise<ReachedCluster> {
  try {
    return { services: await clusters.of(release, signal) };
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    const obstacle: Obstacle = { message: error.message, resume: 'event' };
    return { obstacle, ...(error instanceof ClusterGone ? { isGone: true } : {}) };
  }
}

async function removeThere(
  { services, obstacle }: ReachedCluster,
  release: Release,
  store: InventoryStore,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  if (services === undefined) return isOrphaning(release) ? undefined : obstacle;
  return await removeAll(services, release, store, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    return obstacleIn(error);
  });
}

/** Takes Convoy's finalizer off what it keeps of the Release, which goes then, and off the Release. */
async function letGo(services: Services, release: Release, store: InventoryStore): Promise<undefined> {
  const { home, renders } = services;
  const rest = await renders.clear(release);
  if (rest !== undefined) tellRendersLeft(services, release, rest);
  await store.clear();
  await releaseFinalizer(home.client, RESOURCES.Release, release);
}

/**
 * Its hooks end first: they work on its objects. When its Namespace is deleted, the rights of its ServiceAccount may be gone
 * before it, and with them only what goes with the Namespace anyway: what is elsewhere is deleted all the same.
 */
async function removeAll(
  services: Services,
  release: Release,
  store: InventoryStore,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  const removal = { services, release, store, signal };
  const obstacle = await removeHooksAndObjects(removal).catch((error: unknown) => {
    signal.throwIfAborted();
    return obstacleIn(error);
  });
  if (obstacle?.isDenied !== true || isOrphaning(release) || !(await goesWithNamespace(services, release)))
    return obstacle;
  return await removeObjects(removal, release.metadata.namespace);
}

interface Removal {
  services: Services;
  release: Release;
  store: InventoryStore;
  signal: AbortSignal;
}

async function removeHooksAndObjects(removal: Removal): Promise<Obstacle | undefined> {
  const { services, release } = removal;
  await endHooks(services, release, release.status?.hooks ?? [], 'the Release is deleted');
  services.hookJobs.forgetRelease(releaseKey(release));
  return isOrphaning(release) ? undefined : await removeObjects(removal);
}

/** Its objects in its own Namespace need nobody who deletes them. */
async function goesWithNamespace({ actsAs, home, target }: Services, release: Release): Promise<boolean> {
  const { namespace = '' } = release.metadata;
  if (actsAs === undefined || target.name !== home.name) return false;
  const { metadata } = await home.client.get(NAMESPACES, { name: namespace });
  return metadata.deletionTimestamp !== undefined;
}

/** @param ending a Namespace that takes along what is in it */
async function removeObjects(
  { services, release, store, signal }: Removal,
  ending?: string,
): Promise<Obstacle | undefined> {
  const inventory = await store.read();
  await restoreInventory(services, release, { store, inventory });
  for (const entry of inventory.entries()) if (entry.namespace === ending) inventory.drop(entryKey(entry));
  const key = releaseKey(release);
  try {
    return await deleteObjects({
      cluster: services.target,
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
    if (!signal.aborted) await store.write(inventory, services.now().getTime());
  }
}

/**
 * Who waits for a deletion looks at the status: what the cluster answers stands there.
 * @throws what is no answer, and conflicts: the Release or its inventory is to be read again
 */
function obstacleIn(error: unknown): Obstacle {
  const isAnswer = error instanceof ApiError || error instanceof DiscoveryIncomplete;
  if (!isAnswer || isConflict(error)) throw error;
  const advice = isForbidden(error) ? ` – ${adviceOnRights(error)}` : '';
  return { message: `${error.message}${advice}`, resume: 'retry', isDenied: isAccessDenied(error) };
}

async function reportObstacle(services: Services, release: Release, obstacle: Obstacle): Promise<Next> {
  const draft = new StatusDraft(release, services.now());
  draft.halted(new Halt(obstacle.message, { reason: 'Deleting', resume: obstacle.resume }));
  const written = await writeStatus(services.home.client, RESOURCES.Release, release, draft.status);
  if (written) announce(services, release, draft.status);
  return { retry: obstacle.resume !== 'event' };
}
