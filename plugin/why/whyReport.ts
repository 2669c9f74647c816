import { DEFAULTS } from '../../api/defaults.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { keyString, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { onWaveFailure, type WaveFailure } from '../../engine/waves/failure.ts';
import type { ObservedObject } from '../../engine/waves/verdict.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import type { PodsView } from '../pods/readPods.ts';
import { type Readiness, readinessOf } from '../views/readiness.ts';
import { type Closed, currentRender, observedOf, type WaveState, waveStates } from '../waves/waveStates.ts';

/** The gate that holds a Release. */
export interface WhyGate {
  /** The wave that is not applied. */
  wave: number;
  /** The wave that it waits for. */
  after: number;
  verdict: Closed;
  limitMs: number | undefined;
  onFailure: WaveFailure;
}

/** The last lines of a container that fails. */
export interface WhyLogs {
  pod: string;
  container: string;
  lines: readonly string[] | { unreadable: string };
}

/** An object that a Release waits for, with what is found out about it when asked. */
export interface WhyObject extends ObservedObject {
  wave: number;
  pods?: PodsView;
  logs?: WhyLogs;
}

/** Why a Release is not ready. */
export interface WhyReport {
  release: Release;
  readiness: Readiness;
  waves: readonly WaveState[];
  gate: WhyGate | undefined;
  objects: readonly WhyObject[];
}

/** Reasons that a gate is behind. */
const GATED: ReadonlySet<string> = new Set(['WaitingForWaveHealth', 'WaveFailed', 'RolloutFailed']);

/** Finds out what a Release waits for: a gate and the objects that keep it closed, or else all objects that are not healthy. */
export function whyReport(release: Release, inventory: InventoryView, now: Date): WhyReport {
  const entries = 'unreadable' in inventory ? [] : inventory;
  const readiness = readinessOf(release);
  const waves = waveStates(release, entries, now);
  const gate = GATED.has(readiness.reason) ? gateOf(release, waves) : undefined;
  const isWell = readiness.status === 'True' || release.spec.healthAssessment === undefined;
  const unhealthy = gate === undefined ? unhealthyOf(release, entries, waves) : gate.verdict.unhealthy;
  return { release, readiness, waves, gate, objects: isWell ? [] : withWaves(unhealthy, entries) };
}

function gateOf(release: Release, waves: readonly WaveState[]): WhyGate | undefined {
  for (const { number, after, gate, standing } of waves) {
    if ((standing.phase !== 'waits' && standing.phase !== 'failed') || after === undefined) continue;
    const { verdict } = standing;
    return { wave: number, after, verdict, limitMs: gate?.limitMs, onFailure: failureOf(release) };
  }
  return undefined;
}

function failureOf({ spec, status = {} }: Release): WaveFailure {
  const { lastHealthy, lastAttempted } = status;
  const rollback =
    spec.failurePolicy === undefined ? undefined : (spec.failurePolicy.rollback ?? DEFAULTS.rollback);
  return onWaveFailure(rollback, {
    pinned: spec.pin !== undefined,
    canRollBack: lastHealthy !== undefined && lastHealthy.renderRef !== lastAttempted?.renderRef,
  });
}

/** Of the waves that are applied: what comes later has no health. */
function unhealthyOf(
  release: Release,
  entries: readonly InventoryEntry[],
  waves: readonly WaveState[],
): ObservedObject[] {
  const renderRef = currentRender(release);
  const begun = new Set(waves.filter(({ startedAt }) => startedAt !== undefined).map(({ number }) => number));
  return entries
    .filter((entry) => entry.renderRef === renderRef && begun.has(entry.wave))
    .map((entry) => observedOf(entry, renderRef))
    .filter(({ health }) => health?.state !== 'Healthy');
}

/** Worst first. */
const ORDER = ['Degraded', 'Progressing', 'Unknown'];

function withWaves(objects: readonly ObservedObject[], entries: readonly InventoryEntry[]): WhyObject[] {
  const waves = new Map(entries.map((entry) => [keyString(keyOfEntry(entry)), entry.wave]));
  return objects
    .map((object) => ({ ...object, wave: waves.get(keyString(object.key)) ?? 0 }))
    .sort((a, b) => a.wave - b.wave || rank(a) - rank(b));
}

function keyOfEntry({ group, kind, namespace, name }: InventoryEntry): ObjectKey {
  return { group, kind, namespace, name };
}

function rank({ health }: ObservedObject): number {
  return health === undefined ? ORDER.length : ORDER.indexOf(health.state);
}
