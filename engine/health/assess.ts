import { groupOf, type KubeObject } from '../../api/object.ts';
import { progressing, unknown, type Assessment } from './assessment.ts';
import { ShapeError } from './fields.ts';
import { namesGeneration, unobserved } from './generation.ts';
import { ruleFor } from './kinds.ts';
import { oneLine } from './message.ts';
import { Subject, type KindFacts } from './subject.ts';

/**
 * Judges a live object by the rules of its kind (docs/health.md). Pure: the same object at the same time has the same answer.
 * Whoever wrote its status, it never throws, and a status that is not what the kind says is Unknown, never Healthy.
 * @param object as the API server gave it; undefined where it is not there
 * @param facts what the kind's definition tells and the object does not
 */
export function assess(object: KubeObject | undefined, now: Date, facts: KindFacts = {}): Assessment {
  if (object === undefined) return progressing('it is not there');
  try {
    const { message, ...rest } = judge(new Subject(object, now, facts));
    return { ...rest, message: oneLine(message) };
  } catch (error) {
    if (error instanceof ShapeError) return unknown(oneLine(error.message));
    throw error;
  }
}

function judge(subject: Subject): Assessment {
  const kind = subject.object.text('kind');
  if (kind === '') throw new ShapeError('kind', 'the name of a kind');
  const rule = ruleFor(groupOf(subject.object.text('apiVersion')), kind);
  if (subject.metadata.has('deletionTimestamp')) return terminating(subject);
  const stale = unobserved(subject, rule.observes === true);
  if (stale !== undefined) return stale;
  const { unconfirmed, ...assessment } = rule.judge(subject);
  return unconfirmed && !namesGeneration(subject.status) ? { ...assessment, unconfirmed } : assessment;
}

function terminating({ metadata }: Subject): Assessment {
  const finalizers = metadata.texts('finalizers');
  return progressing(
    finalizers.length === 0 ? 'terminating' : `terminating, held by the finalizers ${finalizers.join(', ')}`,
  );
}
