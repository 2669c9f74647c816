import type { KubeObject } from '../../api/object.ts';
import type { Assessment } from './assessment.ts';
import { notSeen, unobserved } from './generation.ts';
import type { Subject } from './subject.ts';

/**
 * As unobserved, for a kind with a rule of its own, whose status may follow no convention. Where it names no generation
 * itself (-1 is none, which some types have by default), the latest that one of its conditions speaks of counts.
 * @param required the kind's controller always says which generation it has seen
 */
export function unobservedByOwn(
  subject: Subject,
  object: KubeObject,
  required: boolean,
): Assessment | undefined {
  if (required || ownGeneration(subject) !== undefined) return unobserved(subject, required);
  const spoken = conditionGenerations(object);
  return spoken.length === 0 ? undefined : notSeen(subject.generation, Math.max(...spoken));
}

/** Whether a status says of which generation it speaks, itself or in a condition. */
export function saysGeneration(subject: Subject, object: KubeObject): boolean {
  return ownGeneration(subject) !== undefined || conditionGenerations(object).length > 0;
}

function ownGeneration({ status }: Subject): number | undefined {
  const observed = status.generation('observedGeneration') ?? -1;
  return observed < 0 ? undefined : observed;
}

/** The shape of its conditions is the rule's business. */
function conditionGenerations({ status }: KubeObject): number[] {
  const { conditions } = (status ?? {}) as { conditions?: unknown };
  const entries: unknown[] = Array.isArray(conditions) ? conditions : [];
  return entries
    .map((entry) => (entry as { observedGeneration?: unknown } | null)?.observedGeneration)
    .filter((generation) => typeof generation === 'number');
}
