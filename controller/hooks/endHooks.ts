import { describe } from '../../api/object.ts';
import type { HookStatus, Release } from '../../api/release.ts';
import { hasEnded, heldBy } from '../../engine/hooks/outcome.ts';
import { JOBS } from '../../kube/builtIn.ts';
import { isConflict } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import { releaseKey, type Services } from '../services.ts';
import { placeOf } from './hookRun.ts';

/**
 * Deletes the Jobs of hooks: of those that ran to their end, and of those that run still, with their pods.
 * @param why they are of no use any more, for the event of each that runs still
 * @returns those that run still: their pods are being ended
 */
export async function endHooks(
  services: Services,
  release: Release,
  hooks: readonly HookStatus[],
  why: string,
): Promise<HookStatus[]> {
  const left: HookStatus[] = [];
  for (const hook of hooks) if (!(await isGone(services, release, hook, why))) left.push(hook);
  return left;
}

async function isGone(services: Services, release: Release, hook: HookStatus, why: string): Promise<boolean> {
  if (hook.job === undefined) return true;
  const { client } = services.target;
  const at = placeOf(hook);
  const job = await findLive(client, JOBS, at);
  const { uid = '', deletionTimestamp } = job?.metadata ?? {};
  if (job === undefined || uid !== (hook.uid ?? uid)) return true;
  // One that was given up may still be ending its pods.
  const mayRun = hook.state !== 'Succeeded';
  // In the foreground its pods go before it, also where a finalizer of somebody else keeps it.
  const propagationPolicy = mayRun ? 'Foreground' : 'Background';
  const after =
    deletionTimestamp !== undefined
      ? job
      : await client.delete(JOBS, at, { uid, propagationPolicy }).catch(async (error: unknown) => {
          if (isConflict(error)) return undefined;
          const still = await findLive(client, JOBS, at);
          if (still === undefined) return undefined;
          throw error;
        });
  if (deletionTimestamp === undefined && hook.state === 'Running') tellEnded(services, release, hook, why);
  if (after !== undefined && hasEnded(after)) tellHeld(services, release, hook, heldBy(after));
  if (!mayRun || hasEnded(after)) {
    services.hookJobs.forget(uid);
    return true;
  }
  services.hookJobs.follow({ release: releaseKey(release), uid, ...at });
  return false;
}

function tellEnded({ events }: Services, release: Release, hook: HookStatus, why: string): void {
  events.record({
    regarding: release,
    type: 'Normal',
    reason: 'HookEnded',
    action: 'RunHook',
    message: `${hook.phase} hook ${hook.name} is ended: ${why}`,
  });
}

/** It is of no use to anybody any more, and nothing waits for it. */
function tellHeld({ events, log }: Services, release: Release, hook: HookStatus, finalizers: string[]): void {
  if (finalizers.length === 0) return;
  const { namespace, name } = placeOf(hook);
  const key = { group: 'batch', kind: 'Job', namespace, name };
  const message =
    `${describe(key)} of the ${hook.phase} hook ${hook.name} is deleted and held by the finalizer ` +
    `${finalizers.join(', ')}: it goes when the controller that this belongs to takes it off`;
  log.warn({ release: releaseKey(release) }, message);
  events.record({ regarding: release, type: 'Warning', reason: 'HookHeld', action: 'RunHook', message });
}
