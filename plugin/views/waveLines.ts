import type { Release } from '../../api/release.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import { type WaveState, waveStates } from '../waves/waveStates.ts';
import type { Told } from './changeLines.ts';
import { readinessOf } from './readiness.ts';
import { stateText } from './waveTable.ts';

/** One line for each wave, and for each Release that has none; the same text as long as nothing changes. */
export function waveLines(
  releases: readonly Release[],
  inventoryOf: (release: Release) => InventoryView,
  now: Date,
): Told {
  return new Map(releases.flatMap((release) => linesOf(release, inventoryOf(release), now)));
}

function linesOf(release: Release, inventory: InventoryView, now: Date): [string, string][] {
  const { name, namespace = '' } = release.metadata;
  const waves = waveStates(release, 'unreadable' in inventory ? [] : inventory, now);
  if (waves.length > 0)
    return waves.map((wave) => [`${namespace}/${name} wave ${wave.number}`, waveLine(wave)]);
  const { reason, message } = readinessOf(release);
  return [[`${namespace}/${name}`, `no wave is applied: ${reason === '-' ? '' : `${reason}: `}${message}`]];
}

/** `1 of 2 healthy`, `2 of 2 healthy, done`, `waits for wave 0 until 2026-03-01T12:00:20Z`. */
export function waveLine(wave: WaveState): string {
  const { objects, healthy, startedAt, standing } = wave;
  const state = `${stateText(wave)}${untilText(wave)}`;
  if (startedAt === undefined) return state;
  const counts = healthy === undefined ? `${objects} applied` : `${healthy} of ${objects} healthy`;
  return standing.phase === 'applied' ? counts : `${counts}, ${state}`;
}

function untilText({ standing }: WaveState): string {
  if (standing.phase !== 'waits' || standing.verdict.until === undefined) return '';
  return ` until ${new Date(standing.verdict.until).toISOString().replace(/\.\d+Z$/, 'Z')}`;
}
