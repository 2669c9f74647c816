import { degradedAfter, progressing, type Assessment } from './assessment.ts';
import { ShapeError, type Fields } from './fields.ts';
import { phrases } from './message.ts';
import type { Subject } from './subject.ts';

const STATUSES = ['True', 'False', 'Unknown'];

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  /** Milliseconds of the epoch; undefined where it does not say. */
  since: number | undefined;
  observedGeneration: number | undefined;
}

/**
 * @param owner the map whose `conditions` are meant: a status, or an entry of a list in it
 * @throws ShapeError where there are two of the type (which one counts?) or the list is malformed
 */
export function conditionOf(owner: Fields, type: string): Condition | undefined {
  const [found, second] = owner.list('conditions').filter((fields) => fields.text('type') === type);
  if (second !== undefined) throw new ShapeError(second.path, `the only condition ${type}`);
  return found && readCondition(found);
}

function readCondition(fields: Fields): Condition {
  const status = fields.text('status');
  if (!STATUSES.includes(status)) throw new ShapeError(`${fields.path}.status`, STATUSES.join(', '));
  return {
    type: fields.text('type'),
    status,
    reason: fields.text('reason'),
    message: fields.text('message'),
    since: fields.time('lastTransitionTime'),
    observedGeneration: fields.generation('observedGeneration'),
  };
}

export function isTrue(condition: Condition | undefined): condition is Condition & { status: 'True' } {
  return condition?.status === 'True';
}

/** It was written for an earlier generation of the object. */
export function isStale({ observedGeneration }: Condition, { generation = 0 }: Subject): boolean {
  return observedGeneration !== undefined && observedGeneration < generation;
}

export function staleness({ type }: Condition): Assessment {
  return progressing(`condition ${type} still speaks of an earlier generation`);
}

/** `MissingData: Secret x is not there`, and the type with its status where it gives neither. */
export function explain({ type, status, reason, message }: Condition): string {
  return phrases(reason, message) || `condition ${type} is ${status}`;
}

/**
 * Asks for a condition that is True when all is well (Gateway API).
 * @param prefix where it stands, for the message
 * @returns what is wrong, or undefined. Absent, stale, Unknown and `Pending` is Progressing; False is Degraded after a minute.
 */
export function unmet(subject: Subject, owner: Fields, type: string, prefix = ''): Assessment | undefined {
  const condition = conditionOf(owner, type);
  if (condition === undefined) return progressing(phrases(prefix, `condition ${type} is not set yet`));
  if (isStale(condition, subject)) return staleness(condition);
  if (isTrue(condition)) return undefined;
  const message = phrases(prefix, explain(condition));
  if (condition.status === 'Unknown' || condition.reason === 'Pending') return progressing(message);
  return degradedAfter(message, condition.since, subject.now);
}
