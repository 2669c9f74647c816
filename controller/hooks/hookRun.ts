import { FIELD_MANAGER } from '../../api/group.ts';
import { keyOf, type KubeObject } from '../../api/object.ts';
import type { HookStatus } from '../../api/release.ts';
import type { Hook } from '../../engine/hooks/hook.ts';
import { hookJob, type HookOccasion } from '../../engine/hooks/job.ts';
import { type Outcome, outcomeOf } from '../../engine/hooks/outcome.ts';
import { JOBS } from '../../kube/builtIn.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import { problemOf } from '../apply/problem.ts';
import type { Reconcile } from '../release/reconcileRun.ts';
import { releaseKey } from '../services.ts';

/** One that was taken out of the Release runs as long as its Job may. */
const NO_LIMIT_MS = Number.MAX_SAFE_INTEGER;

/** What a running hook belongs to. */
export interface HookContext {
  run: Reconcile;
  /** Undefined: it was taken out of the Release. */
  hook: Hook | undefined;
  occasion: HookOccasion;
}

/** The Job of a hook, or why the API server does not take it. */
type Found = { job: KubeObject | undefined } | { refused: string; isRetryable: boolean };

/**
 * Looks how a running hook stands. Its Job is made where it was never made: the status names it before that, so that
 * there is one Job however often this is interrupted.
 * @returns its status from here on; without a UID where the API server does not take the Job at the moment
 */
export async function lookAtHook(status: HookStatus, context: HookContext): Promise<HookStatus> {
  const found = status.uid === undefined ? await makeJob(status, context) : await findJob(status, context);
  const clock = {
    startedAt: Date.parse(status.startedAt ?? ''),
    timeoutMs: context.hook?.timeoutMs ?? NO_LIMIT_MS,
    now: context.run.services.now().getTime(),
  };
  if ('refused' in found) {
    const message = found.refused;
    const isTriedAgain = found.isRetryable && clock.now < clock.startedAt + clock.timeoutMs;
    return withOutcome(status, { state: isTriedAgain ? 'Running' : 'Failed', message }, context);
  }
  const { job } = found;
  const outcome = outcomeOf(job, clock);
  const { uid = status.uid } = job?.metadata ?? {};
  const known = uid === undefined ? status : { ...status, uid };
  return withOutcome(known, outcome, context);
}

function withOutcome(status: HookStatus, outcome: Outcome, context: HookContext): HookStatus {
  return outcome.state === 'Running' ? running(status, outcome, context) : ended(status, outcome, context);
}

/** Found again where an earlier attempt had made it. */
async function makeJob(status: HookStatus, { run, hook, occasion }: HookContext): Promise<Found> {
  const { services, release, signal } = run;
  const { client } = services.target;
  const at = placeOf(status);
  if (hook === undefined) return { job: await findLive(client, JOBS, at, { signal }) };
  const job = hookJob(hook, release, at.name, occasion);
  try {
    return { job: await client.create(JOBS, job, { fieldManager: FIELD_MANAGER, signal }) };
  } catch (error) {
    signal.throwIfAborted();
    if (isAlreadyExists(error)) return { job: await findLive(client, JOBS, at, { signal }) };
    const { retryable, message } = problemOf(keyOf(job), error);
    return { refused: message, isRetryable: retryable };
  }
}

/** As it is, or as it was seen last: one of the same name that was made since is another. */
async function findJob(status: HookStatus, { run }: HookContext): Promise<Found> {
  const { services, signal } = run;
  const { uid = '' } = status;
  const job = await findLive(services.target.client, JOBS, placeOf(status), { signal });
  return { job: job?.metadata.uid === uid ? job : services.hookJobs.lastSeen(uid) };
}

function running(status: HookStatus, { message }: Outcome, { run }: HookContext): HookStatus {
  const { services, release, redaction } = run;
  const { uid } = status;
  if (uid !== undefined) services.hookJobs.follow({ release: releaseKey(release), uid, ...placeOf(status) });
  return { ...status, message: redaction.apply(message) };
}

function ended(status: HookStatus, { state, message }: Outcome, { run }: HookContext): HookStatus {
  const { services, redaction } = run;
  const after: HookStatus = { ...status, state, completedAt: services.now().toISOString() };
  delete after.message;
  const said = redaction.apply(message);
  return said === '' ? after : { ...after, message: said };
}

/** Where its Job is. */
export function placeOf({ namespace, job = '' }: HookStatus): { namespace: string; name: string } {
  return { namespace, name: job };
}
