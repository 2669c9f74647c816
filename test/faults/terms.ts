import type { AuditEvent } from '../controlplane/audit.ts';
import { isByConvoy, secondsOf } from '../support/auditOrder.ts';

/** The time in which one candidate held the Lease, seconds since 1970. */
export interface Term {
  by: string;
  /** It took the Lease. */
  from: number;
  /** Its first and its last write of something else than the Lease; undefined where it wrote nothing. */
  wrote: { first: number; last: number } | undefined;
}

export interface Terms {
  terms: Term[];
  /** Writes of a candidate that did not hold the Lease then. */
  usurped: string[];
  /** Objects that one leader applied more than once in its term; each new one applies all once (health.md, "Observer"). */
  repeated: string[];
}

const READS = ['get', 'list', 'watch'];

/** Who led when, by the writes of the Lease that the API server accepted; and whether anybody else wrote anything. */
export function termsOf(events: readonly AuditEvent[]): Terms {
  const terms = holders(events);
  const usurped: string[] = [];
  const applied = new Set<string>();
  const repeated: string[] = [];
  for (const event of writes(events)) {
    const at = secondsOf(event.requestReceivedTimestamp);
    const by = event.user.username;
    const term = terms.findLast(({ from }) => from <= at);
    if (term?.by !== by) {
      usurped.push(
        `${by} at ${event.requestReceivedTimestamp}: ${event.verb} ${event.requestURI}, while ${term?.by ?? 'nobody'} led`,
      );
      continue;
    }
    term.wrote = { first: term.wrote?.first ?? at, last: at };
    const { resource = '', namespace = '', name = '' } = event.objectRef ?? {};
    if (resource !== 'configmaps' || event.verb !== 'patch') continue;
    const key = `${by} since ${term.from}: ${namespace}/${name}`;
    if (applied.has(key)) repeated.push(key);
    applied.add(key);
  }
  return { terms, usurped, repeated };
}

function holders(events: readonly AuditEvent[]): Term[] {
  const terms: Term[] = [];
  const accepted = events.filter(
    ({ stage, responseStatus }) => stage === 'ResponseComplete' && (responseStatus?.code ?? 500) < 300,
  );
  for (const { user, requestReceivedTimestamp } of inOrder(accepted.filter(isOfLease))) {
    if (terms.at(-1)?.by === user.username) continue;
    terms.push({ by: user.username, from: secondsOf(requestReceivedTimestamp), wrote: undefined });
  }
  return terms;
}

function isOfLease({ objectRef, verb }: AuditEvent): boolean {
  return objectRef?.resource === 'leases' && objectRef.name === 'convoy-controller' && !READS.includes(verb);
}

/** What candidates wrote, but for Leases, the Namespace of the Lease and trials, in the order in which it was received. */
function writes(events: readonly AuditEvent[]): AuditEvent[] {
  return inOrder(
    events.filter(
      (event) =>
        isByConvoy(event) &&
        event.stage === 'RequestReceived' &&
        !READS.includes(event.verb) &&
        !event.requestURI.includes('dryRun=All') &&
        !['leases', 'namespaces'].includes(event.objectRef?.resource ?? ''),
    ),
  );
}

function inOrder(events: readonly AuditEvent[]): AuditEvent[] {
  const at = ({ requestReceivedTimestamp }: AuditEvent): number => secondsOf(requestReceivedTimestamp);
  return events.toSorted((a, b) => at(a) - at(b));
}
