import type { Release } from '../../api/release.ts';
import type { InventoryView } from '../cluster/inventory.ts';
import { waveStates } from '../waves/waveStates.ts';
import { headline, joinSections, type Page, paragraph } from './page.ts';
import { readinessOf } from './readiness.ts';
import { ageOf } from './time.ts';
import { waveTable } from './waveTable.ts';

export interface WavesPageOptions extends Page {
  headers: boolean;
  wide: boolean;
}

/** The page of `waves status`: for each Release how it stands, and its waves. */
export function wavesPage(
  releases: readonly Release[],
  inventoryOf: (release: Release) => InventoryView,
  options: WavesPageOptions,
): string[] {
  return joinSections(releases.map((release) => wavesSection(release, inventoryOf(release), options)));
}

/** One Release: a headline and a row for each wave, or the one line that says why there is none. */
function wavesSection(release: Release, inventory: InventoryView, options: WavesPageOptions): string[] {
  const { name, namespace = '' } = release.metadata;
  const { status, reason, message, since, tone } = readinessOf(release);
  const subject = `Release ${name} in ${namespace}`;
  const waves = waveStates(release, 'unreadable' in inventory ? [] : inventory, options.now);
  if (waves.length === 0) {
    const why = reason === '-' ? message : `${reason}: ${message}`;
    return headline(options, subject, `: no wave is applied: ${why}`, status === 'True' ? 'plain' : tone);
  }
  const word = { True: 'ready', False: 'not ready', Unknown: 'not known' }[status];
  const detail = reason === '-' ? '' : ` (${reason}, for ${ageOf(since, options.now)})`;
  return [
    ...headline(options, subject, `: ${word}${detail}`, tone),
    ...waveTable(waves, options),
    ...('unreadable' in inventory
      ? paragraph(options, `gates and objects are not known: ${inventory.unreadable}`)
      : []),
  ];
}
