import { formatDuration } from '../../api/duration.ts';
import type { Release } from '../../api/release.ts';
import type { ObservedObject } from '../../engine/waves/verdict.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import { currentRender, type Standing, type WaveState, waveStates } from '../waves/waveStates.ts';
import { readinessOf } from './readiness.ts';

/** What `waves status -o json` prints of one Release: exact times, and the objects that are waited for. */
export function wavesData(release: Release, inventory: InventoryView, now: Date): Record<string, unknown> {
  const { name, namespace } = release.metadata;
  const { status, reason, message, since } = readinessOf(release);
  const waves = waveStates(release, 'unreadable' in inventory ? [] : inventory, now);
  return {
    namespace,
    name,
    renderRef: currentRender(release),
    ready: { status, reason, message, since },
    waves: waves.map(waveData),
    ...('unreadable' in inventory ? { unreadable: inventory.unreadable } : {}),
  };
}

function waveData(wave: WaveState): Record<string, unknown> {
  const { number, objects, applied, healthy, health, startedAt, completedAt, gate, after, standing } = wave;
  return {
    number,
    objects,
    applied,
    healthyObjects: healthy,
    healthy: health,
    startedAt,
    completedAt,
    ...(gate === undefined ? {} : { gate: { afterWave: after, limit: durationOf(gate.limitMs) } }),
    state: standing.phase,
    ...standingData(standing),
  };
}

function standingData(standing: Standing): Record<string, unknown> {
  if (standing.phase === 'due') return { reason: standing.reason };
  if (standing.phase !== 'waits' && standing.phase !== 'failed') return {};
  const { since, until, unhealthy } = standing.verdict;
  return { since: timeOf(since), until: timeOf(until), unhealthy: unhealthy.map(observedData) };
}

/** An object by its parts, with its health where it has one for this render. */
export function observedData({ key, health }: ObservedObject): Record<string, unknown> {
  if (health === undefined) return { ...key };
  return { ...key, state: health.state, message: health.message, since: timeOf(health.since) };
}

/** RFC 3339. */
export function timeOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

export function durationOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}
