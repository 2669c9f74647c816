import { microTime } from '../microTime.ts';
import type { LeaseRecord } from './record.ts';

/** A record, and when it was first seen as it is, in milliseconds of the own clock that never goes back. */
export interface Observation {
  record: LeaseRecord;
  at: number;
}

/** Who wants to lead. */
export interface Candidate {
  /** Nobody else has it. */
  identity: string;
  leaseDurationMs: number;
}

/** A released record ends for those who did not see the release, as client-go writes it. */
const RELEASED_SECONDS = 1;

/**
 * Takes note of a record. Time counts from when it was seen to change, never from what stands in it: the clocks of
 * candidates may differ by any amount (client-go, tools/leaderelection).
 */
export function observe(previous: Observation | undefined, record: LeaseRecord, now: number): Observation {
  return previous !== undefined && isSame(previous.record, record) ? previous : { record, at: now };
}

/** @returns how many milliseconds from `now` the candidate has to leave the Lease to its holder; 0: it may be taken */
export function heldFor({ record, at }: Observation, { identity }: Candidate, now: number): number {
  if (!isHeld(record) || record.holderIdentity === identity) return 0;
  return Math.max(0, at + (record.leaseDurationSeconds ?? 0) * 1000 - now);
}

export function isHeld({ holderIdentity }: LeaseRecord): boolean {
  return holderIdentity !== undefined && holderIdentity !== '';
}

/**
 * What the candidate writes to lead, or to go on leading.
 * @param before undefined: there is no Lease
 * @param now for people alone
 */
export function claimed(before: LeaseRecord | undefined, candidate: Candidate, now: Date): LeaseRecord {
  const { identity, leaseDurationMs } = candidate;
  const time = microTime(now);
  const isOwn = before?.holderIdentity === identity;
  const transitions = before?.leaseTransitions ?? 0;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseDurationMs / 1000),
    acquireTime: isOwn ? (before.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: before === undefined || isOwn ? transitions : transitions + 1,
  };
}

/** What the holder writes when it leads no longer: others need not wait. */
export function released({ leaseTransitions = 0 }: LeaseRecord, now: Date): LeaseRecord {
  const time = microTime(now);
  return {
    holderIdentity: '',
    leaseDurationSeconds: RELEASED_SECONDS,
    acquireTime: time,
    renewTime: time,
    leaseTransitions,
  };
}

function isSame(a: LeaseRecord, b: LeaseRecord): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.leaseDurationSeconds === b.leaseDurationSeconds &&
    a.acquireTime === b.acquireTime &&
    a.renewTime === b.renewTime &&
    a.leaseTransitions === b.leaseTransitions
  );
}
