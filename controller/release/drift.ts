import pMap from 'p-map';
import { describe, keyString } from '../../api/object.ts';
import { objectsOfPlan, type PlannedObject } from '../../engine/plan/plan.ts';
import { CONCURRENCY } from '../apply/concurrency.ts';
import { problemOf } from '../apply/problem.ts';
import { compareObject } from '../drift/compareObject.ts';
import type { Followed } from '../observer/followed.ts';
import { releaseKey } from '../services.ts';
import { Halt, heals } from './halt.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';

/** Begins the line of a status message that names what differs. */
export const DRIFTED = 'Drifted: ';

/** Objects that the message names before it only counts. */
const NAMED = 5;

/**
 * Finds out how the objects of a render that stands applied compare with it, without applying anything. What the observer knows
 * costs no request, so that only what was touched, and all of it after a start of the controller, is asked for.
 * @param objects those of the render that were applied
 * @returns those that differ
 * @throws Halt `ClusterUnavailable` where it cannot be told now
 */
export async function compareRender(
  run: Reconcile,
  current: CurrentRender,
  objects: readonly PlannedObject[],
): Promise<PlannedObject[]> {
  const { services, release, signal } = run;
  const { plan, inventory } = current;
  const key = releaseKey(release);
  await services.observer.follow(key, objectsOfPlan(plan), (object) => inventory.get(object), signal);
  const followed = services.observer.of(key);
  const present = objects.filter((planned) => inventory.get(planned.key)?.purged !== true);
  await pMap(present, (planned) => compare(run, current, followed, planned), { concurrency: CONCURRENCY });
  return present.filter((planned) => followed.differenceOf(planned.key) !== undefined);
}

/** One line; '' where nothing differs. */
export function driftText(run: Reconcile, drifted: readonly PlannedObject[]): string {
  if (drifted.length === 0) return '';
  const followed = run.services.observer.of(releaseKey(run.release));
  const named = drifted
    .slice(0, NAMED)
    .map((planned) => `${describe(planned.key)} (${why(followed, planned)})`);
  const more = drifted.length > NAMED ? `; and ${drifted.length - NAMED} more` : '';
  return `${DRIFTED}until a sync is asked for: ${named.join('; ')}${more}`.replaceAll('\n', ' ');
}

function why(followed: Followed, { key }: PlannedObject): string {
  const difference = followed.differenceOf(key) ?? '';
  const editor = followed.editorOf(key);
  return difference === 'changed' && editor !== '' ? `${difference} by ${editor}` : difference;
}

async function compare(
  { services, signal }: Reconcile,
  { rendered }: CurrentRender,
  followed: Followed,
  planned: PlannedObject,
): Promise<void> {
  const { key, updatePolicy } = planned;
  const { text = '', digest = '' } = rendered.bodies.get(keyString(key)) ?? {};
  const sent = { digest, renderRef: rendered.renderRef, isOnce: updatePolicy === 'Once' };
  if (followed.isWatched(planned) && followed.isCompared(key, digest)) {
    followed.confirm(key, sent);
    return;
  }
  try {
    const isSeenAs = followed.isSeenAs.bind(followed, key);
    const comparison = await compareObject(services.target, planned, text, { isSeenAs, signal });
    await followed.compared(key, comparison, sent);
  } catch (error) {
    signal.throwIfAborted();
    if (heals(error)) throw error;
    throw new Halt(
      `whether objects have drifted cannot be told: ${problemOf(key, error, planned.object).message}`,
      {
        reason: 'ClusterUnavailable',
        stage: 'Cluster',
        resume: 'retry',
        cause: error,
      },
    );
  }
}
