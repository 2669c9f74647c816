import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import { groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import { ApiError, isAlreadyExists, isNotFound } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import { immutableFields } from '../../kube/immutable.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { TargetCluster } from '../cluster.ts';
import { awaitGone, blockers } from '../delete/gone.ts';
import { instancesLeft, instancesText } from '../delete/instancesLeft.ts';
import { Halt } from '../release/halt.ts';
import { applyObject, resourceOf, type Sendable, type SendOptions, type Sent } from './applyObject.ts';

/** How long an object that is deleted to be made again is awaited in place (ms). */
const GONE_WITHIN_MS = 60_000;

/** Refusals of a second object of the same name that the first one, which goes before, is the reason for. */
const IN_THE_WAY = /already allocated|exceeded quota/;

/**
 * `update-policy: Recreate`: an apply; where it is refused since an immutable field differs, the object is deleted and,
 * when it is gone, created again (apply.md). Nothing is deleted that could not be created then. A dry run finds out
 * whether that would go well. Killed in between, the next run goes on: what is absent is created.
 * @throws as applyObject; Halt where the object may not be deleted, or is not gone in time
 */
export async function applyOrRecreate(
  cluster: TargetCluster,
  sendable: Sendable,
  options: SendOptions,
): Promise<Sent> {
  try {
    return await applyObject(cluster, sendable, options);
  } catch (error) {
    if (immutableFields(error).length === 0) throw error;
  }
  const { object } = sendable;
  const resource = await resourceOf(cluster, object);
  const live = await findLive(cluster.client, resource, object.metadata, {
    signal: options.signal,
  });
  if (live !== undefined) {
    await refuseDeletion(cluster, live, options.signal);
    await proveCreatable(cluster, resource, sendable, options.signal);
    if (options.dryRun === true) return { object: live, resource, created: false };
    await remove(cluster, resource, live, options.signal);
  }
  return await applyObject(cluster, sendable, options);
}

async function refuseDeletion(cluster: TargetCluster, live: KubeObject, signal: AbortSignal): Promise<void> {
  if (live.metadata.annotations?.[PRUNE] === PRUNE_DISABLED) {
    throw refused(
      `an immutable field differs, and it is annotated ${PRUNE}: ${PRUNE_DISABLED}, so it is not recreated – take that annotation off it, or keep the old value`,
    );
  }
  const instances = await instancesLeft(cluster, live, signal);
  if (instances.found.length > 0) {
    throw refused(
      `an immutable field differs, and it is not recreated: ${instancesText(instances)} – delete them, or keep the old value`,
    );
  }
}

function refused(message: string): Halt {
  return new Halt(message, { reason: 'ApplyFailed', stage: 'Apply', resume: 'change' });
}

/** The API server looks at an object before it finds that the name is taken. */
async function proveCreatable(
  { client }: TargetCluster,
  resource: ApiResource,
  { object, body }: Sendable,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.create(resource, object, { fieldManager: FIELD_MANAGER, dryRun: true, body, signal });
  } catch (error) {
    const isInTheWay = error instanceof ApiError && IN_THE_WAY.test(error.serverMessage);
    if (!isAlreadyExists(error) && !isInTheWay) throw error;
  }
}

/** Deletes this very object and waits until it is gone. */
async function remove(
  cluster: TargetCluster,
  resource: ApiResource,
  live: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const rest = await sendDelete(cluster, resource, live, signal);
  if (rest === undefined) return;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(GONE_WITHIN_MS)]);
  const remaining = await awaitGone(cluster, [{ key: keyOf(live), resource, live: rest }], limit);
  signal.throwIfAborted();
  if (remaining.length === 0) return;
  throw new Halt(`it is recreated when it is gone: ${blockers(remaining.map((target) => target.live))}`, {
    reason: 'ApplyFailed',
    stage: 'Apply',
    resume: 'retry',
  });
}

/** @returns the object where it is still there */
async function sendDelete(
  { client }: TargetCluster,
  resource: ApiResource,
  live: KubeObject,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const { uid, deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined) return live;
  const propagationPolicy = isStatefulSet(live) ? 'Orphan' : 'Foreground';
  try {
    const options = { ...(uid === undefined ? {} : { uid }), propagationPolicy, signal } as const;
    return await client.delete(resource, live.metadata, options);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Its pods go on and are taken over by the new one, and its claims keep their data (edge case 11). */
function isStatefulSet({ apiVersion, kind }: KubeObject): boolean {
  return groupOf(apiVersion) === 'apps' && kind === 'StatefulSet';
}
