import { healthy, progressing } from './assessment.ts';
import { share } from './message.ts';
import { byHand } from './statefulSet.ts';
import type { Judge } from './subject.ts';

export const daemonSet: Judge = ({ spec, status }) => {
  if (!status.has('desiredNumberScheduled')) return progressing('its pods are not counted yet');
  const wanted = status.count('desiredNumberScheduled');
  const scheduled = status.count('currentNumberScheduled');
  const updated = status.count('updatedNumberScheduled');
  const ready = status.count('numberReady');
  const available = status.count('numberAvailable');

  if (scheduled < wanted) return progressing(share(scheduled, wanted, 'pod', 'scheduled'));
  if (updated < wanted) {
    if (spec.map('updateStrategy').text('type') === 'OnDelete') return byHand(wanted - updated);
    return progressing(share(updated, wanted, 'pod', 'updated'));
  }
  if (ready < wanted) return progressing(share(ready, wanted, 'pod', 'ready'));
  if (available < wanted) return progressing(share(available, wanted, 'pod', 'available'));
  return healthy(
    wanted === 0 ? 'no node is selected, so there is no pod' : share(available, wanted, 'pod', 'available'),
  );
};
