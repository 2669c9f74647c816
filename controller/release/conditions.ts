import type { ConditionReason, ConditionStatus, ConditionType } from '../../api/conditions.ts';
import type { Condition } from '../../api/release.ts';

/** Bytes of a condition's message: what is longer is cut, with a word that it was. */
const MAX_MESSAGE = 8_000;

export interface Observation {
  status: ConditionStatus;
  reason: ConditionReason;
  message: string;
}

/** The conditions with one replaced; `lastTransitionTime` moves only when the status does (metav1.Condition). */
export function withCondition(
  conditions: readonly Condition[],
  type: ConditionType,
  observed: Observation,
  context: { now: string; generation: number },
): Condition[] {
  const before = conditions.find((condition) => condition.type === type);
  const next: Condition = {
    type,
    status: observed.status,
    reason: observed.reason,
    message: cut(observed.message),
    lastTransitionTime: before?.status === observed.status ? before.lastTransitionTime : context.now,
    observedGeneration: context.generation,
  };
  return [...conditions.filter((condition) => condition.type !== type), next].sort((a, b) =>
    a.type < b.type ? -1 : 1,
  );
}

export function conditionOf(
  conditions: readonly Condition[] | undefined,
  type: ConditionType,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** RFC 3339 in whole seconds, as metav1.Time writes it. */
export function timestamp(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A message as a status can hold it. */
export function cut(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 20)}\n… (cut)`;
}
