import type { Release } from '../../api/release.ts';
import type { SyncRequest } from '../../api/syncRequest.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import type { SyncState } from '../sync/syncFollower.ts';
import { type WaveState, waveStates } from '../waves/waveStates.ts';
import type { Told } from './changeLines.ts';
import { count, headline, type Page, paragraph } from './page.ts';
import { readinessOf } from './readiness.ts';
import { rolloutFields, rolloutLine } from './rolloutFields.ts';
import { span } from './time.ts';
import { waveLine } from './waveLines.ts';
import { waveTable } from './waveTable.ts';

/** What the views of one sync are made from. */
export interface SyncView {
  release: Release;
  inventory: InventoryView;
  state: SyncState;
  request: Pick<SyncRequest, 'id' | 'force'>;
  /** When it was asked for, or joined; milliseconds of the epoch. */
  since: number;
}

const PHASES: Readonly<Record<SyncState['phase'], string>> = {
  queued: 'waits for the controller to take it',
  running: 'is under way',
  done: 'is done',
  failed: 'has failed',
};

/** The view of `release sync --wait` on a terminal: the sync, what it waits for, and the waves. */
export function syncPage({ release, inventory, state, since }: SyncView, page: Page): string[] {
  const { name, namespace = '' } = release.metadata;
  const waves = wavesOf(release, inventory, page.now);
  return [
    ...headline(
      page,
      `Sync of ${name} in ${namespace}`,
      ` ${PHASES[state.phase]}: ${progressText(waves)}, ${span(page.now.getTime() - since)}`,
    ),
    ...(state.phase === 'failed' ? [] : paragraph(page, waitsFor(release))),
    ...(state.phase === 'queued' ? [] : rolloutFields(release, page)),
    ...(waves.length === 0 ? [] : waveTable(waves, page)),
  ];
}

/** The same as lines, each the same text as long as nothing changes. */
export function syncLines({ release, inventory, state, request }: SyncView, now: Date): Told {
  const sync = `${PHASES[state.phase]} (request ${request.id})`;
  return new Map([
    ['sync', sync],
    ...(state.phase === 'queued'
      ? []
      : wavesOf(release, inventory, now).map((wave) => [`wave ${wave.number}`, waveLine(wave)] as const)),
    ...rolloutTold(release),
    ['release', waitsFor(release)],
  ]);
}

/** The rollout as a line for each change of it. */
export function rolloutTold(release: Release): [string, string][] {
  const line = rolloutLine(release);
  return line === undefined ? [] : [['rollout', line]];
}

/** `35 objects in 3 waves, after 12s`. */
export function doneText({ release, inventory, since }: SyncView, now: Date): string {
  const waves = wavesOf(release, inventory, now);
  const objects = waves.reduce((sum, wave) => sum + wave.objects, 0);
  return `${count(objects, 'object')} in ${count(waves.length, 'wave')}, after ${span(now.getTime() - since)}`;
}

/** Ready in one line. */
export function waitsFor(release: Release): string {
  const { status, reason, message } = readinessOf(release);
  if (status === 'True') return `ready: ${message}`;
  return reason === '-' ? message : `${reason}: ${message}`;
}

function wavesOf(release: Release, inventory: InventoryView, now: Date): WaveState[] {
  return waveStates(release, 'unreadable' in inventory ? [] : inventory, now);
}

function progressText(waves: readonly WaveState[]): string {
  const done = waves.filter(({ standing }) => standing.phase === 'done').length;
  return `${done} of ${count(waves.length, 'wave')} done`;
}
