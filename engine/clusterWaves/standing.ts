import type { ConditionType } from '../../api/conditions.ts';
import type { Condition, Release } from '../../api/release.ts';
import { placeOf } from './place.ts';

/** What a Release is to those that come after it. */
export interface Standing {
  name: string;
  wave: number;
  /** Applied is True for its current generation. */
  isApplied: boolean;
  /** Healthy is True for its current generation. */
  isHealthy: boolean;
  /** The latest change of its condition Applied, or its creation where it has none; milliseconds of the epoch. */
  changedAt: number;
  /** Where it is not both applied and healthy: why, in a word or two. */
  why: string;
}

/**
 * Reads how a Release stands. A condition that was seen for an older generation says nothing of the one that is to be applied.
 * @returns undefined for one that is being deleted: nobody waits for it (waves.md, axis B, 1)
 */
export function standingOf(release: Release): Standing | undefined {
  const { name, creationTimestamp = '', deletionTimestamp } = release.metadata;
  if (deletionTimestamp !== undefined) return undefined;
  const changedAt = conditionOf(release, 'Applied')?.lastTransitionTime ?? creationTimestamp;
  return {
    name,
    wave: placeOf(release).wave,
    isApplied: isTrue(release, 'Applied'),
    isHealthy: isTrue(release, 'Healthy'),
    changedAt: Date.parse(changedAt) || 0,
    why: whyNot(release),
  };
}

function isTrue(release: Release, type: ConditionType): boolean {
  const condition = conditionOf(release, type);
  return condition?.status === 'True' && isCurrent(release, condition);
}

/** The reason of the first condition that says no; Ready knows of what ended a reconcile before anything changed. */
function whyNot(release: Release): string {
  const { generation = 0 } = release.metadata;
  for (const type of ['Ready', 'Applied', 'Healthy'] as const) {
    const condition = conditionOf(release, type);
    if (condition === undefined) continue;
    if (!isCurrent(release, condition)) return `generation ${generation} is not applied`;
    if (condition.status !== 'True') return condition.reason;
  }
  return conditionOf(release, 'Ready') === undefined ? 'no status' : '';
}

function isCurrent({ metadata }: Release, { observedGeneration = 0 }: Condition): boolean {
  return observedGeneration === (metadata.generation ?? 0);
}

function conditionOf({ status }: Release, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
