import {
  APPLIED_REASONS,
  type ConditionStatus,
  type ConditionType,
  HEALTHY_REASONS,
  READY_REASONS,
} from '../../api/conditions.ts';
import type { Condition, Release } from '../../api/release.ts';
import type { Tone } from '../cli/paint.ts';

/** How a Release stands, in the words of its Ready condition, or of what is wrong with the status itself. */
export interface Readiness {
  status: 'True' | 'False' | 'Unknown';
  /** `-` where the controller has not spoken. */
  reason: string;
  message: string;
  /** RFC 3339; undefined where the controller has not spoken. */
  since: string | undefined;
  tone: Tone;
}

export function conditionOf(release: Release, type: ConditionType): Condition | undefined {
  return release.status?.conditions?.find((condition) => condition.type === type);
}

const TONES: Readonly<Record<Readiness['status'], Tone>> = { True: 'good', False: 'bad', Unknown: 'warn' };

/** Reasons that only say that it is on its way, or that somebody wanted it so. */
const NOT_A_FAULT: ReadonlySet<string> = new Set([
  'Progressing',
  'Suspended',
  'Deleting',
  'WaitingForClusterWave',
  'WaitingForHook',
  'WaitingForStage',
  'WaitingForSync',
  'WaitingForWaveHealth',
]);

/** Reasons that pass by themselves as often as not. */
const MAY_PASS: ReadonlySet<string> = new Set(['Degraded', 'AssessmentUnknown']);

/**
 * Whether a reason of Ready is the end of an attempt: it failed, or was rolled back. Waiting, starting up and being
 * suspended are none; nor is a Degraded object, which may heal.
 */
export function isFailure(reason: string): boolean {
  if (reason === 'RolledBack' || reason === 'Deleting') return true;
  if (NOT_A_FAULT.has(reason) || MAY_PASS.has(reason)) return false;
  return REASON_STATUS[reason] === 'False';
}

const REASON_STATUS: Readonly<Record<string, ConditionStatus>> = Object.fromEntries(
  Object.entries({ ...APPLIED_REASONS, ...HEALTHY_REASONS, ...READY_REASONS }).map(([reason, { status }]) => [
    reason,
    status,
  ]),
);

/** The tone of a condition; waiting is no failure. */
export function toneOf({ status, reason }: Pick<Condition, 'status' | 'reason'>): Tone {
  return status === 'False' && NOT_A_FAULT.has(reason) ? 'warn' : TONES[status];
}

/**
 * Reads whether a Release is ready. A status that speaks of an older generation says nothing of what the spec asks for now,
 * so that it counts as Unknown, as kstatus has it.
 */
export function readinessOf(release: Release): Readiness {
  const ready = conditionOf(release, 'Ready');
  if (ready === undefined) return unknown('no status yet: the controller has not taken this Release up');
  const { generation = 0 } = release.metadata;
  const { observedGeneration = 0 } = release.status ?? {};
  if (observedGeneration < generation) {
    if (release.metadata.deletionTimestamp !== undefined)
      return unknown('the controller has not said yet what is still to be removed');
    return unknown(
      `the spec has changed (generation ${generation}) and the controller has not taken that up yet (it is at ${observedGeneration})`,
    );
  }
  const { status, reason, message, lastTransitionTime: since } = ready;
  return { status, reason, message, since, tone: toneOf(ready) };
}

function unknown(message: string): Readiness {
  return { status: 'Unknown', reason: '-', message, since: undefined, tone: 'warn' };
}
