import { healthy, progressing, type Assessment } from './assessment.ts';
import { counted, share } from './message.ts';
import type { Judge, Subject } from './subject.ts';

/** The same for every kind that replaces its pods only when a person deletes them. */
export function byHand(old: number): Assessment {
  const run = old === 1 ? 'runs' : 'run';
  return progressing(
    `waiting for pods to be deleted by hand (OnDelete): ${counted(old, 'pod')} still ${run} the old revision`,
  );
}

export const statefulSet: Judge = (subject) => {
  const { spec, status } = subject;
  const wanted = spec.count('replicas', 1);
  const all = status.count('replicas');
  const ready = status.count('readyReplicas');
  // Servers before 1.22 do not count it.
  const available = status.count('availableReplicas', ready);

  const revision = oldRevision(subject, wanted, all);
  if (revision !== undefined) return revision;
  if (all > wanted) return progressing(`${counted(all - wanted, 'replica')} too many, still to be removed`);
  if (all < wanted) return progressing(share(all, wanted, 'replica', 'there'));
  if (ready < wanted) return progressing(share(ready, wanted, 'replica', 'ready'));
  if (available < wanted) return progressing(share(available, wanted, 'replica', 'available'));
  return healthy(summary(subject, wanted));
};

/** Whether pods that should run the new revision do not. */
function oldRevision({ spec, status }: Subject, wanted: number, all: number): Assessment | undefined {
  const updated = status.count('updatedReplicas');
  const strategy = spec.map('updateStrategy');
  if (strategy.text('type') === 'OnDelete') return all > updated ? byHand(all - updated) : undefined;

  const partition = strategy.map('rollingUpdate').count('partition');
  const target = Math.max(0, wanted - partition);
  if (updated < target) return progressing(share(updated, target, 'replica', 'updated'));
  // A partition keeps the old revision current, however long it stands.
  if (partition === 0 && status.text('currentRevision') !== status.text('updateRevision'))
    return progressing('the new revision is not complete yet');
  return undefined;
}

function summary({ spec, status }: Subject, wanted: number): string {
  if (wanted === 0) return 'scaled to 0';
  const partition = spec.map('updateStrategy').map('rollingUpdate').count('partition');
  const available = share(wanted, wanted, 'replica', 'available');
  return partition > 0 && status.text('currentRevision') !== status.text('updateRevision')
    ? `${available}; the partition keeps those below ${partition} on the old revision`
    : available;
}
