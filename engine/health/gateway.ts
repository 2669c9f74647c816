import {
  decisive,
  degradedAfter,
  healthy,
  healthyByItself,
  progressing,
  type Assessment,
} from './assessment.ts';
import { conditionOf, explain, isStale, isTrue, unmet } from './conditions.ts';
import type { Fields } from './fields.ts';
import { share } from './message.ts';
import type { Judge, Subject } from './subject.ts';

const found = (finding: Assessment | undefined): finding is Assessment => finding !== undefined;

/** As unmet, for a condition that an implementation may leave out. */
function unmetIfSet(subject: Subject, owner: Fields, type: string, prefix = ''): Assessment | undefined {
  return conditionOf(owner, type) && unmet(subject, owner, type, prefix);
}

/** A condition that is True when something is wrong. */
function raised(subject: Subject, owner: Fields, type: string, prefix: string): Assessment | undefined {
  const condition = conditionOf(owner, type);
  if (!isTrue(condition) || isStale(condition, subject)) return undefined;
  return degradedAfter(`${prefix}: ${explain(condition)}`, condition.since, subject.now);
}

export const gatewayClass: Judge = (subject) =>
  unmet(subject, subject.status, 'Accepted') ?? healthy('accepted');

/** Gateway and ListenerSet. */
export const gateway: Judge = (subject) => {
  const { status } = subject;
  const own = ['Accepted', 'Programmed'].map((type) => unmet(subject, status, type));
  const listeners = status.list('listeners').flatMap((listener) => {
    const prefix = `listener ${listener.text('name')}`;
    return [
      raised(subject, listener, 'Conflicted', prefix),
      ...['Accepted', 'ResolvedRefs', 'Programmed'].map((type) =>
        unmetIfSet(subject, listener, type, prefix),
      ),
    ];
  });
  return decisive([...own, ...listeners].filter(found)) ?? healthy('programmed');
};

/** HTTPRoute and its sisters: each parent that the route names has to take it. */
export const route: Judge = (subject) => {
  const refs = subject.spec.list('parentRefs');
  const parents = subject.status.list('parents');
  if (refs.length === 0) return healthyByItself('has no parents');
  const own = subject.metadata.text('namespace');
  const answered = new Set(parents.map((parent) => refKey(parent.map('parentRef'), own)));
  const heard = refs.filter((ref) => answered.has(refKey(ref, own))).length;
  const silent =
    heard < refs.length
      ? progressing(`waiting: ${share(heard, refs.length, 'parent', 'heard of')}`)
      : undefined;
  return decisive([...accepted(subject, parents, 'parentRef'), silent].filter(found)) ?? healthy('accepted');
};

/** Policies of the Gateway API; without an ancestor nothing has taken it yet. */
export const policy: Judge = (subject) => {
  const ancestors = subject.status.list('ancestors');
  if (ancestors.length === 0) return progressing('nothing has taken it yet');
  return decisive(accepted(subject, ancestors, 'ancestorRef').filter(found)) ?? healthy('accepted');
};

function accepted(
  subject: Subject,
  entries: readonly Fields[],
  ref: 'parentRef' | 'ancestorRef',
): (Assessment | undefined)[] {
  return entries.flatMap((entry) => {
    const prefix = `parent ${entry.map(ref).text('name')}`;
    return [
      unmet(subject, entry, 'Accepted', prefix),
      unmetIfSet(subject, entry, 'ResolvedRefs', prefix),
      raised(subject, entry, 'PartiallyInvalid', prefix),
    ];
  });
}

/** Two references are the same where these are, with the defaults of the API filled in. */
function refKey(ref: Fields, namespace: string): string {
  return JSON.stringify([
    ref.has('group') ? ref.text('group') : 'gateway.networking.k8s.io',
    ref.text('kind') || 'Gateway',
    ref.text('namespace') || namespace,
    ref.text('name'),
    ref.text('sectionName'),
    ref.count('port'),
  ]);
}
