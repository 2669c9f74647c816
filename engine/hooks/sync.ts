import type { HookStatus, HookSync, SyncFailure } from '../../api/release.ts';
import { type Hook, isSameHook } from './hook.ts';

/** What the status says of the hooks of a Release. */
export interface HookRecord {
  /** Undefined: the last sync had none. */
  sync: HookSync | undefined;
  /** In their order. */
  hooks: readonly HookStatus[];
}

/** What is about to be applied, and whether somebody asked for it. */
export interface WantedSync {
  renderRef: string;
  /** The sync request that authorises it. */
  request: string | undefined;
  /** The last render that was applied completely. */
  lastSuccessful: string | undefined;
  /** A pin was taken out: what comes then is a new render, whatever was applied before. */
  isUnpinned: boolean;
}

/** Steps of a sync that have hooks before or behind them. */
export type SyncStep = NonNullable<HookSync['passed']>[number];

/** True where hooks run: a new render, or a request that they have not run for. Never for drift (apply.md). */
export function isNewSync(recorded: HookSync | undefined, wanted: WantedSync): boolean {
  const { renderRef, request, lastSuccessful, isUnpinned } = wanted;
  if (isUnpinned) return true;
  if (recorded === undefined) return renderRef !== lastSuccessful || request !== undefined;
  if (recorded.ended === true || recorded.renderRef !== renderRef) return true;
  return request !== undefined && request !== recorded.request;
}

/** The record of a sync that begins: which hooks it has is settled here. */
export function beginSync(
  hooks: readonly Hook[],
  { renderRef, request }: Pick<WantedSync, 'renderRef' | 'request'>,
  now: string,
): HookRecord {
  if (hooks.length === 0) return { sync: undefined, hooks: [] };
  return {
    sync: { renderRef, ...(request === undefined ? {} : { request }), startedAt: now },
    hooks: hooks.map(({ phase, name, namespace }) => ({ phase, name, namespace, state: 'Pending' })),
  };
}

export type NextHook =
  /** The hooks of the phase are behind it. */
  | { next: 'passed' }
  | { next: 'start'; status: HookStatus; hook: Hook }
  | { next: 'wait'; status: HookStatus; hook: Hook | undefined }
  /** Those after it do not run. */
  | { next: 'failed'; status: HookStatus };

/** What is to be done next in a phase: its hooks run one after another, until one fails that has to succeed. */
export function nextHook(
  { hooks: statuses }: HookRecord,
  hooks: readonly Hook[],
  phase: HookStatus['phase'],
): NextHook {
  for (const status of statuses) {
    if (status.phase !== phase) continue;
    const hook = hooks.find((candidate) => isSameHook(candidate, status));
    if (status.state === 'Running') return { next: 'wait', status, hook };
    if (status.state === 'Pending' && hook !== undefined) return { next: 'start', status, hook };
    if (status.state === 'Failed' && hook?.isRequired !== false) return { next: 'failed', status };
  }
  return { next: 'passed' };
}

/** The record with one hook replaced. */
export function withHook(record: HookRecord, status: HookStatus): HookRecord {
  return { ...record, hooks: record.hooks.map((other) => (isSameHook(other, status) ? status : other)) };
}

/** Hooks whose turn does not come any more are skipped, and say why (edge case 28). */
export function skipPending(
  record: HookRecord,
  phases: readonly HookStatus['phase'][],
  why: string,
): HookRecord {
  const hooks = record.hooks.map((status): HookStatus => {
    const isOver = status.state === 'Pending' && phases.includes(status.phase);
    return isOver ? { ...status, state: 'Skipped', message: why } : status;
  });
  return { ...record, hooks };
}

/** Hooks that were taken out of the Release before their turn came. */
export function skipRemoved(record: HookRecord, hooks: readonly Hook[]): HookRecord {
  const removed = record.hooks.filter(
    (status) => status.state === 'Pending' && !hooks.some((hook) => isSameHook(hook, status)),
  );
  return removed.reduce(
    (next, status) =>
      withHook(next, { ...status, state: 'Skipped', message: 'it was taken out before its turn came' }),
    record,
  );
}

export function hasPassed({ sync }: HookRecord, step: SyncStep): boolean {
  return sync?.passed?.includes(step) === true;
}

export function pass(record: HookRecord, step: SyncStep): HookRecord {
  if (record.sync === undefined || hasPassed(record, step)) return record;
  return { ...record, sync: { ...record.sync, passed: [...(record.sync.passed ?? []), step] } };
}

/** Failures that can end and begin again: each time they do, the syncFailed hooks run (waves.md, axis A, 8). */
const OF_WAVES: ReadonlySet<SyncFailure> = new Set(['WaveFailed', 'RolloutFailed']);

/** What failed before is mended: if it fails once more, that is another failure. */
export function waveMended(record: HookRecord): HookRecord {
  const { sync } = record;
  const failures = sync?.failures?.filter((reason) => !OF_WAVES.has(reason)) ?? [];
  if (sync?.failures === undefined || failures.length === sync.failures.length) return record;
  const mended: HookSync = { ...sync, failures };
  if (failures.length === 0) delete mended.failures;
  return { ...record, sync: mended };
}

/**
 * A sync has failed: its syncFailed hooks begin, once for each reason, and not while those of another failure run.
 * @param reason of the condition Applied; most begin nothing
 */
export function beginFailure(record: HookRecord, reason: string, now: string): HookRecord {
  const { sync } = record;
  if (sync === undefined || !isFailure(reason) || sync.failures?.includes(reason) === true) return record;
  // What was applied once is corrected from here on: that is no sync.
  if (reason === 'ApplyFailed' && hasPassed(record, 'apply')) return record;
  if (isFailing(record)) return record;
  const hooks = record.hooks.map((status): HookStatus => {
    const { phase, name, namespace } = status;
    return phase === 'syncFailed' ? { phase, name, namespace, state: 'Pending' } : status;
  });
  return {
    sync: { ...sync, failures: [...(sync.failures ?? []), reason], failure: { reason, at: now } },
    hooks,
  };
}

/** The syncFailed hooks were begun, and have not all come to their end. */
export function isFailing({ sync, hooks }: HookRecord): boolean {
  return sync?.failure !== undefined && hooks.some(isUnderWay);
}

function isUnderWay({ phase, state }: HookStatus): boolean {
  return phase === 'syncFailed' && (state === 'Running' || state === 'Pending');
}

const FAILURES: ReadonlySet<string> = new Set<SyncFailure>([
  'WaveFailed',
  'RolloutFailed',
  'HookFailed',
  'ApplyFailed',
]);

function isFailure(reason: string): reason is SyncFailure {
  return FAILURES.has(reason);
}
