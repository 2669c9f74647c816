import { DEFAULT_SYNC_STRATEGY, DEFAULT_SYNC_TIMEOUT } from '../../api/annotations.ts';
import { parsePositiveDuration } from '../../api/duration.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import type { Release, WaveStatus } from '../../api/release.ts';
import { type Gate, gateOf } from '../../engine/waves/gate.ts';
import { waveHealth } from '../../engine/waves/health.ts';
import { ofRecord } from '../../engine/waves/recorded.ts';
import { judgeGate, type ObservedObject, type Verdict } from '../../engine/waves/verdict.ts';
import { readinessOf } from '../views/readiness.ts';

/** How a wave stands; times are milliseconds of the epoch. */
export type Standing =
  /** Applied, and where health is assessed, healthy. */
  | { phase: 'done' }
  /** Applied; not all of it is healthy. */
  | { phase: 'applied' }
  /** Its gate is closed, or was when its limit passed. */
  | { phase: 'waits' | 'failed'; verdict: Closed }
  /** Its gate is open, and it is not all applied; `reason`: that of Ready, where that tells what stopped it. */
  | { phase: 'due'; reason: string | undefined }
  /** A wave before it is not applied. */
  | { phase: 'behind' };

export type Closed = Exclude<Verdict, { gate: 'open' }>;

/** One wave of the render that a Release is at. */
export interface WaveState {
  number: number;
  objects: number;
  applied: number;
  /** Objects that are Healthy for this render; undefined where that is not known. */
  healthy: number | undefined;
  /** Undefined where health is not assessed, or one has no state yet. */
  health: boolean | undefined;
  /** RFC 3339; undefined where it was not applied in the last reconcile. */
  startedAt: string | undefined;
  completedAt: string | undefined;
  gate: Gate | undefined;
  /** The wave that its gate looks at; undefined for the first one. */
  after: number | undefined;
  standing: Standing;
}

/**
 * The waves of a Release as its status and inventory tell them, in ascending order. Which gates hold, and until when, is
 * what the controller itself would decide (engine/waves).
 * @param entries of every shard of the inventory
 * @returns none where nothing of the render is known: then Ready tells why
 */
export function waveStates(release: Release, entries: readonly InventoryEntry[], now: Date): WaveState[] {
  const renderRef = currentRender(release);
  const waves = wavesOf(entries.filter((entry) => entry.renderRef === renderRef));
  if (waves.length === 0) return (release.status?.waves ?? []).map(withoutObjects);
  const context: Context = {
    renderRef,
    isAssessed: release.spec.healthAssessment !== undefined,
    statuses: new Map((release.status?.waves ?? []).map((wave) => [wave.number, wave])),
    stoppedBy: stopOf(release),
    isRolledBack: isRolledBack(release),
    now: now.getTime(),
  };
  return waves.map((wave, index) => waveState(wave, waves[index - 1], context));
}

/** What the status alone tells of a wave, for those who may not read the inventory. */
function withoutObjects(status: WaveStatus, index: number, all: readonly WaveStatus[]): WaveState {
  const { number, resources, applied, healthy, startedAt, completedAt } = status;
  return {
    ...{ number, objects: resources, applied, startedAt, completedAt },
    healthy: healthy === true ? resources : undefined,
    health: healthy,
    gate: undefined,
    after: all[index - 1]?.number,
    standing: { phase: healthy === false ? 'applied' : 'done' },
  };
}

/** The render that stands applied, or is being applied. */
export function currentRender(release: Release): string | undefined {
  const { lastHealthy, lastAttempted } = release.status ?? {};
  return (isRolledBack(release) ? lastHealthy : lastAttempted)?.renderRef;
}

function isRolledBack({ status = {} }: Release): boolean {
  return status.conditions?.find(({ type }) => type === 'Applied')?.reason === 'RolledBack';
}

/** An object with its health for this render, as engine/waves looks at it. */
export function observedOf(entry: InventoryEntry, renderRef: string | undefined): ObservedObject {
  const { group, kind, namespace, name, health, purged } = entry;
  const key = { group, kind, namespace, name };
  // What was deleted again by its purge-order counts as Healthy (waves.md, "Purge order").
  if (purged === true) return { key, health: { state: 'Healthy', message: '', since: 0 } };
  if (health === undefined || health.renderRef !== renderRef) return { key, health: undefined };
  return { key, health: ofRecord(health) };
}

interface Wave {
  number: number;
  entries: InventoryEntry[];
}

interface Context {
  renderRef: string | undefined;
  isAssessed: boolean;
  statuses: ReadonlyMap<number, WaveStatus>;
  stoppedBy: string | undefined;
  /** Applied in one step, without waves. */
  isRolledBack: boolean;
  now: number;
}

function wavesOf(entries: readonly InventoryEntry[]): Wave[] {
  const byNumber = new Map<number, InventoryEntry[]>();
  for (const entry of entries) {
    const wave = byNumber.get(entry.wave);
    if (wave === undefined) byNumber.set(entry.wave, [entry]);
    else wave.push(entry);
  }
  return [...byNumber].sort(([a], [b]) => a - b).map(([number, own]) => ({ number, entries: own }));
}

function waveState(wave: Wave, previous: Wave | undefined, context: Context): WaveState {
  const { number, entries } = wave;
  const objects = entries.map((entry) => observedOf(entry, context.renderRef));
  const status = context.statuses.get(number);
  const health = context.isAssessed ? waveHealth(objects) : undefined;
  const hasGate = context.isAssessed && !context.isRolledBack && previous !== undefined;
  const gate = hasGate ? gateOf(entries.map(gatePart)) : undefined;
  return {
    number,
    objects: entries.length,
    applied: status?.applied ?? objects.filter((object) => object.health !== undefined).length,
    healthy: context.isAssessed
      ? objects.filter((object) => object.health?.state === 'Healthy').length
      : undefined,
    health,
    startedAt: status?.startedAt,
    completedAt: status?.completedAt,
    gate,
    after: previous?.number,
    standing: standingOf({ objects, status, health, gate }, previous, context),
  };
}

function gatePart({ strategy = DEFAULT_SYNC_STRATEGY, timeout }: InventoryEntry) {
  return { strategy, timeoutMs: parsePositiveDuration(timeout ?? DEFAULT_SYNC_TIMEOUT) ?? 0 };
}

function standingOf(
  wave: {
    objects: readonly ObservedObject[];
    status: WaveStatus | undefined;
    health: boolean | undefined;
    gate: Gate | undefined;
  },
  previous: Wave | undefined,
  context: Context,
): Standing {
  const { renderRef, statuses, stoppedBy, now } = context;
  const standing: Standing = { phase: context.isAssessed && wave.health !== true ? 'applied' : 'done' };
  if (context.isRolledBack) return standing;
  const before = previous === undefined ? undefined : statuses.get(previous.number);
  if (previous !== undefined && before === undefined) return { phase: 'behind' };
  const verdict = judgeGate(wave.gate, appliedWave(previous, before, renderRef), {
    wasOpen: wave.objects.some(({ health }) => health !== undefined),
    now,
  });
  if (verdict.gate !== 'open') return { phase: verdict.gate === 'failed' ? 'failed' : 'waits', verdict };
  if (wave.status === undefined) return { phase: 'due', reason: stoppedBy };
  return standing;
}

function appliedWave(
  wave: Wave | undefined,
  status: WaveStatus | undefined,
  renderRef: string | undefined,
): Parameters<typeof judgeGate>[1] {
  if (wave === undefined || status === undefined) return undefined;
  return {
    number: wave.number,
    startedAt: Date.parse(status.startedAt),
    objects: wave.entries.map((entry) => observedOf(entry, renderRef)),
  };
}

/** Reasons of a wave that its gate or its objects tell better. */
const NO_STOP: ReadonlySet<string> = new Set([
  'WaitingForWaveHealth',
  'WaveFailed',
  'RolloutFailed',
  'Progressing',
  'Degraded',
]);

function stopOf(release: Release): string | undefined {
  const { status, reason } = readinessOf(release);
  return status === 'False' && !NO_STOP.has(reason) ? reason : undefined;
}
