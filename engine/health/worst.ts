import type { HealthyReason } from '../../api/conditions.ts';
import type { HealthState } from '../../api/healthRules.ts';
import type { Assessment } from './assessment.ts';

/** As `status.health` of a Release has them. */
export type StateCounts = Record<Lowercase<HealthState>, number>;

export interface HealthSummary {
  counts: StateCounts;
  /** Of the condition Healthy. */
  reason: Exclude<HealthyReason, 'NotAssessed'>;
}

/** From the worst: that an object is not healthy is certain, whatever is not known of the others. */
const FROM_WORST = [
  ['degraded', 'Degraded'],
  ['progressing', 'Progressing'],
  ['unknown', 'AssessmentUnknown'],
] as const;

/** Counts the states of many objects and says what they come to; without any object all are healthy. */
export function summarise(assessments: Iterable<Pick<Assessment, 'state'>>): HealthSummary {
  const counts: StateCounts = { healthy: 0, progressing: 0, degraded: 0, unknown: 0 };
  for (const { state } of assessments) counts[state.toLowerCase() as Lowercase<HealthState>] += 1;
  const worst = FROM_WORST.find(([state]) => counts[state] > 0);
  return { counts, reason: worst?.[1] ?? 'AllHealthy' };
}
