import { formatDuration } from '../../api/duration.ts';
import type { KubeObject } from '../../api/object.ts';
import { conditionOf, explain, isTrue } from '../health/conditions.ts';
import { Fields } from '../health/fields.ts';
import { deadlineSeconds } from './job.ts';

/** Of Kubernetes itself, which takes them off when what depends on the object is gone. */
const GARBAGE_COLLECTION: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** What has become of the Job of a hook. */
export interface Outcome {
  state: 'Running' | 'Succeeded' | 'Failed';
  /** How far it is, or why it failed; may be empty. */
  message: string;
}

/** What is known of a running hook besides its Job. Times are milliseconds of the epoch. */
export interface HookClock {
  startedAt: number;
  timeoutMs: number;
  now: number;
}

/**
 * Says how the Job of a hook stands. What it has achieved counts, whatever holds it: a finalizer of somebody else, or a deletion.
 * @param job undefined: there is none any more, and nobody has seen it end
 * @throws ShapeError for what is no Job
 */
export function outcomeOf(job: KubeObject | undefined, clock: HookClock): Outcome {
  if (job === undefined)
    return { state: 'Failed', message: 'its Job was deleted before anybody could see how it ended' };
  const status = new Fields(job, '').map('status');
  if (isTrue(conditionOf(status, 'Complete'))) return { state: 'Succeeded', message: '' };
  const failed = conditionOf(status, 'Failed');
  if (isTrue(failed)) {
    const isTooLong = failed.reason === 'DeadlineExceeded' && hasHookDeadline(job, clock);
    return { state: 'Failed', message: isTooLong ? tooLong(clock) : explain(failed) };
  }
  if (job.metadata.deletionTimestamp !== undefined)
    return { state: 'Failed', message: `its Job was deleted before it ended${heldText(job)}` };
  if (clock.now >= clock.startedAt + clock.timeoutMs) return { state: 'Failed', message: tooLong(clock) };
  return { state: 'Running', message: progressOf(status) };
}

/** Finalizers that keep an object which is being deleted, but for those of Kubernetes itself. */
export function heldBy({ metadata }: KubeObject): string[] {
  return (metadata.finalizers ?? []).filter((finalizer) => !GARBAGE_COLLECTION.has(finalizer));
}

/** Its pods are gone, or it never had any: what is left of it is held by others. */
export function hasEnded(job: KubeObject | undefined): boolean {
  if (job === undefined) return true;
  const { deletionTimestamp, finalizers = [] } = job.metadata;
  return deletionTimestamp !== undefined && !finalizers.includes('foregroundDeletion');
}

/** Not one of its own that is shorter. */
function hasHookDeadline(job: KubeObject, { timeoutMs }: HookClock): boolean {
  return new Fields(job, '').map('spec').count('activeDeadlineSeconds') === deadlineSeconds(timeoutMs);
}

function heldText(job: KubeObject): string {
  const finalizers = heldBy(job);
  return finalizers.length === 0 ? '' : `, and is held by the finalizer ${finalizers.join(', ')}`;
}

function tooLong({ timeoutMs }: HookClock): string {
  return `it did not end within its timeout of ${formatDuration(timeoutMs)}`;
}

function progressOf(status: Fields): string {
  const count = (field: string) => status.count(field);
  return `${count('active')} active, ${count('succeeded')} done, ${count('failed')} failed`;
}
