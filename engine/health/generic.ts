import { degraded, healthy, healthyByItself, progressing } from './assessment.ts';
import { conditionOf, explain, isStale, isTrue, staleness } from './conditions.ts';
import type { Judge } from './subject.ts';

/** Any kind without rules of its own, by the conditions that kstatus reads. Stalled is asked first: it gets no further. */
export const generic: Judge = (subject) => {
  const { status, facts } = subject;
  const stalled = conditionOf(status, 'Stalled');
  if (isTrue(stalled)) return isStale(stalled, subject) ? staleness(stalled) : degraded(explain(stalled));
  const reconciling = conditionOf(status, 'Reconciling');
  if (isTrue(reconciling)) return progressing(explain(reconciling));

  const ready = conditionOf(status, 'Ready');
  if (ready !== undefined) {
    if (isStale(ready, subject)) return staleness(ready);
    return isTrue(ready) ? healthy(explain(ready)) : progressing(explain(ready));
  }
  if (facts.declaresConditions && status.list('conditions').length === 0)
    return progressing('its controller has not set any condition yet');
  return status.empty ? healthyByItself('there') : healthy('there; it has no condition Ready');
};

/** What does its work by being there, whatever its status holds. */
export const plain: Judge = () => healthyByItself('there');
