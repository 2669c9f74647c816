import { HEALTH, HEALTH_IGNORE } from '../../api/annotations.ts';
import { groupOf, type KubeObject } from '../../api/object.ts';
import { healthyByItself, progressing, unknown, type Assessment } from './assessment.ts';
import { Fields, ShapeError } from './fields.ts';
import { namesGeneration, unobserved } from './generation.ts';
import { saysGeneration, unobservedByOwn } from './ownGeneration.ts';
import { type KindRule, ruleFor } from './kinds.ts';
import { oneLine } from './message.ts';
import { Subject, type KindFacts } from './subject.ts';

/** A rule that a person wrote. */
export interface OwnRule {
  isFor: (object: KubeObject) => boolean;
  /** What it says of an object that it is for. Never throws. */
  judge: (object: KubeObject, now: Date) => Assessment;
}

/**
 * Judges a live object by the first own rule that is for it, else by the rules of its kind (docs/health.md). Pure: the same
 * object at the same time has the same answer. Whoever wrote its status, it never throws, and a status that is not what the
 * kind says is Unknown, never Healthy.
 * @param object as the API server gave it; undefined where it is not there
 * @param facts what the kind's definition tells and the object does not
 * @param rules those of the Release, in order
 */
export function assess(
  object: KubeObject | undefined,
  now: Date,
  facts: KindFacts = {},
  rules: readonly OwnRule[] = [],
): Assessment {
  if (object === undefined) return progressing('it is not there');
  try {
    if (isIgnored(object)) return healthyByItself('its health is ignored');
    const { message, ...rest } = judge(new Subject(object, now, facts), object, rules);
    return { ...rest, message: oneLine(message) };
  } catch (error) {
    if (error instanceof ShapeError) return unknown(oneLine(error.message));
    throw error;
  }
}

function isIgnored(object: KubeObject): boolean {
  return new Fields(object, '').map('metadata').map('annotations').text(HEALTH) === HEALTH_IGNORE;
}

function judge(subject: Subject, object: KubeObject, rules: readonly OwnRule[]): Assessment {
  const kind = subject.object.text('kind');
  if (kind === '') throw new ShapeError('kind', 'the name of a kind');
  const apiVersion = subject.object.text('apiVersion');
  if (subject.metadata.has('deletionTimestamp')) return terminating(subject);
  const ofKind = ruleFor(groupOf(apiVersion), kind);
  const own = rules.find((rule) => rule.isFor(object));
  return own === undefined ? judgeByKind(subject, ofKind) : judgeByRule(subject, object, { own, ofKind });
}

function judgeByKind(subject: Subject, { judge: judgeKind, observes }: KindRule): Assessment {
  const stale = unobserved(subject, observes === true);
  if (stale !== undefined) return stale;
  const { unconfirmed, ...assessment } = judgeKind(subject);
  return unconfirmed && !namesGeneration(subject.status) ? { ...assessment, unconfirmed } : assessment;
}

/** Whatever the rule says, a status that speaks of an earlier generation is no more than on its way. */
function judgeByRule(
  subject: Subject,
  object: KubeObject,
  { own, ofKind }: { own: OwnRule; ofKind: KindRule },
): Assessment {
  const assessment = own.judge(object, subject.now);
  const stale = unobservedByOwn(subject, object, ofKind.observes === true);
  if (stale !== undefined && assessment.state !== 'Progressing') return stale;
  const isSure = subject.status.empty || saysGeneration(subject, object);
  return assessment.state === 'Healthy' && !isSure ? { ...assessment, unconfirmed: true } : assessment;
}

function terminating({ metadata }: Subject): Assessment {
  const finalizers = metadata.texts('finalizers');
  return progressing(
    finalizers.length === 0 ? 'terminating' : `terminating, held by the finalizers ${finalizers.join(', ')}`,
  );
}
