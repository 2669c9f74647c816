import type { AuditEvent } from '../controlplane/audit.ts';

/** One request that wrote something, as the API server received it. */
export interface Write {
  /** Seconds since 1970, with microseconds. */
  at: number;
  resource: string;
  group: string;
  namespace: string;
  name: string;
  verb: string;
}

/** Applies and deletes of Convoy, dry runs left out, in the order in which the API server received them. */
export function writesOfConvoy(events: readonly AuditEvent[]): Write[] {
  return events
    .filter(
      ({ stage, userAgent, verb }) =>
        stage === 'RequestReceived' &&
        userAgent?.startsWith('convoy') === true &&
        ['patch', 'delete'].includes(verb),
    )
    .filter(({ requestURI }) => !requestURI.includes('dryRun=All'))
    .map(writeOf)
    .sort((a, b) => a.at - b.at);
}

function writeOf({ requestReceivedTimestamp, verb, objectRef = { resource: '' } }: AuditEvent): Write {
  const { resource, apiGroup = '', namespace = '', name = '' } = objectRef;
  return { at: secondsOf(requestReceivedTimestamp), resource, group: apiGroup, namespace, name, verb };
}

/** Whether Convoy sent the request. */
export function isByConvoy({ userAgent = '' }: AuditEvent): boolean {
  return userAgent.startsWith('convoy/');
}

/** RFC 3339 with the microseconds that Date.parse drops. */
export function secondsOf(timestamp: string): number {
  const fraction = /\.(\d+)Z$/.exec(timestamp)?.[1] ?? '0';
  return Math.floor(Date.parse(timestamp) / 1000) + Number(`0.${fraction}`);
}
