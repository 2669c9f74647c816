import { type Cluster, CONTACT_EVERY_MS } from '../../api/cluster.ts';
import type { Readiness } from './readiness.ts';
import { span } from './time.ts';

/** So many looks that did not happen mean that nobody looks. */
const MISSED_LOOKS = 3;

/**
 * Reads how a Cluster stands. What the status says counts for as long as the controller renews it: one that died leaves `True`
 * behind.
 */
export function clusterStanding({ metadata, status = {} }: Cluster, now: Date): Readiness {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined) return unknown('no status yet: the controller has not looked at this Cluster');
  const { generation = 0 } = metadata;
  const { observedGeneration = 0, lastContact } = status;
  if (observedGeneration < generation)
    return unknown(
      `the spec has changed (generation ${generation}) and the controller has not taken that up yet (it is at ${observedGeneration})`,
    );
  const { reason, message, lastTransitionTime: since } = ready;
  const silentMs = lastContact === undefined ? 0 : now.getTime() - Date.parse(lastContact);
  if (ready.status === 'True' && silentMs > MISSED_LOOKS * CONTACT_EVERY_MS)
    return unknown(
      `nobody has asked it for ${span(silentMs)}, and it is asked every ${span(CONTACT_EVERY_MS)} while the controller runs`,
    );
  return { status: ready.status, reason, message, since, tone: TONES[ready.status] };
}

const TONES = { True: 'good', False: 'bad', Unknown: 'warn' } as const;

function unknown(message: string): Readiness {
  return { status: 'Unknown', reason: '-', message, since: undefined, tone: 'warn' };
}
