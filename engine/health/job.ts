import { degraded, healthy, healthyByItself, progressing } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import { counted, phrases } from './message.ts';
import type { Judge } from './subject.ts';

/** A Job is Healthy when it has done its work, not while it runs (kstatus takes a running one as current). */
export const job: Judge = ({ spec, status }) => {
  const failed = conditionOf(status, 'Failed');
  if (isTrue(failed)) return degraded(explain(failed));
  if (isTrue(conditionOf(status, 'Complete'))) return healthy('complete');
  const failing = conditionOf(status, 'FailureTarget');
  if (isTrue(failing)) return progressing(phrases('failing, its pods are being ended', explain(failing)));
  if (spec.flag('suspend')) return healthyByItself('suspended: it runs when spec.suspend is taken back');

  const succeeded = status.count('succeeded');
  const of = spec.has('completions') ? ` of ${counted(spec.count('completions'), 'completion')}` : ' done';
  return progressing(
    `running: ${succeeded}${of}, ${status.count('active')} active, ${status.count('failed')} failed`,
  );
};

/** Its Jobs are objects of their own: one that fails does not make the schedule unhealthy. */
export const cronJob: Judge = ({ spec }) =>
  spec.flag('suspend')
    ? healthyByItself('suspended: no Job is started until spec.suspend is taken back')
    : healthyByItself(phrases('scheduled', spec.text('schedule')));
