import { degraded, healthy, progressing, unknown } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import { counted, phrases, share } from './message.ts';
import type { Judge } from './subject.ts';

/** Paused is asked before the deadline, as a paused one gets no further and its deadline does not run. */
export const deployment: Judge = ({ spec, status }) => {
  if (spec.flag('paused')) return unknown('paused: it is not rolled out until spec.paused is taken back');

  const rollout = conditionOf(status, 'Progressing');
  if (rollout?.status === 'False' && rollout.reason === 'ProgressDeadlineExceeded')
    return degraded(explain(rollout));

  const wanted = spec.count('replicas', 1);
  const all = status.count('replicas');
  const updated = status.count('updatedReplicas');
  const ready = status.count('readyReplicas');
  const available = status.count('availableReplicas');
  const failure = conditionOf(status, 'ReplicaFailure');
  const why = isTrue(failure) ? explain(failure) : '';

  if (updated < wanted) return progressing(phrases(share(updated, wanted, 'replica', 'updated'), why));
  if (all > updated) return progressing(`${counted(all - updated, 'old replica')} still to be removed`);
  if (updated > wanted)
    return progressing(`${counted(updated - wanted, 'replica')} too many, still to be removed`);
  if (all < wanted) return progressing(phrases(share(all, wanted, 'replica', 'there'), why));
  if (ready < wanted) return progressing(phrases(share(ready, wanted, 'replica', 'ready'), why));
  if (available < wanted) return progressing(share(available, wanted, 'replica', 'available'));
  if (!isTrue(conditionOf(status, 'Available'))) return progressing('condition Available is not True yet');
  return healthy(wanted === 0 ? 'scaled to 0' : share(available, wanted, 'replica', 'available'));
};
