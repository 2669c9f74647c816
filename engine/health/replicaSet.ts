import { healthy, progressing } from './assessment.ts';
import { conditionOf, explain, isTrue } from './conditions.ts';
import { counted, share } from './message.ts';
import type { Judge } from './subject.ts';

/** ReplicaSet and ReplicationController: their status is the same. */
export const replicaSet: Judge = ({ spec, status }) => {
  const failure = conditionOf(status, 'ReplicaFailure');
  if (isTrue(failure)) return progressing(explain(failure));

  const wanted = spec.count('replicas', 1);
  const all = status.count('replicas');
  const labelled = status.count('fullyLabeledReplicas');
  const ready = status.count('readyReplicas');
  const available = status.count('availableReplicas');

  if (all > wanted) return progressing(`${counted(all - wanted, 'replica')} too many, still to be removed`);
  if (all < wanted) return progressing(share(all, wanted, 'replica', 'there'));
  if (labelled < wanted) return progressing(share(labelled, wanted, 'replica', 'fully labelled'));
  if (ready < wanted) return progressing(share(ready, wanted, 'replica', 'ready'));
  if (available < wanted) return progressing(share(available, wanted, 'replica', 'available'));
  return healthy(wanted === 0 ? 'scaled to 0' : share(available, wanted, 'replica', 'available'));
};
