import type { FailurePolicy, RolloutStatus, SyncPolicy } from '../../api/release.ts';
import type { StateCounts } from '../health/worst.ts';

export type RollbackPolicy = NonNullable<FailurePolicy['rollback']>;

/** `status.rollout`, with the time in milliseconds of the epoch. */
export interface Rollout {
  state: RolloutStatus['state'];
  /** The render that is rolled out; of RolledBack the one that failed. */
  renderRef: string;
  startedAt: number;
  /** What a person should know; may be empty. */
  message: string;
}

/** How healthy the objects of one render are. */
export interface RolloutHealth {
  /** The render that the objects were assessed for: a health that speaks of another one decides nothing. */
  renderRef: string;
  /** Objects that have a state for that render. */
  counts: StateCounts;
  /** Objects that have none. */
  missing: number;
  /** Names those that are not Healthy, for a message; empty where all are. */
  unhealthy: string;
}

/** What a rollback would go back to, or why there is nothing. */
export type RollbackTarget = { renderRef: string } | { none: string };

/** All that decides about a rollout (rollout.md). Times are milliseconds of the epoch. */
export interface Situation {
  /** `spec.failurePolicy.rollback` with its default; undefined where there is no failurePolicy. */
  rollback: RollbackPolicy | undefined;
  /** `spec.healthAssessment.deadline`. */
  deadlineMs: number | undefined;
  mode: NonNullable<SyncPolicy['mode']>;
  /** What is to be applied: the render of the source, or the pinned one. */
  renderRef: string;
  isPinned: boolean;
  /** The last reconcile applied a pin. */
  wasPinned: boolean;
  /** A forced sync request was taken in this reconcile. */
  isForced: boolean;
  /** A sync request authorises this render. */
  isAuthorised: boolean;
  /** As the status has it. */
  before: Rollout | undefined;
  lastHealthy: string | undefined;
  /** Of the render; undefined where nothing is known of it. */
  health: RolloutHealth | undefined;
  /** What the gate says of a wave that failed in this reconcile. */
  waveFailure: string | undefined;
  target: RollbackTarget;
  now: number;
}

/** True where a failed rollout may go back by itself at its deadline. */
export function rollsBack(rollback: RollbackPolicy | undefined): boolean {
  return rollback === 'OnReleaseFailure' || rollback === 'OnWaveFailure';
}
