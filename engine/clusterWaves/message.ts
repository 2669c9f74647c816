import { formatDuration } from '../../api/duration.ts';
import { timeText } from '../waves/message.ts';
import type { Place } from './place.ts';
import type { Standing } from './standing.ts';
import type { ClosedClusterWave } from './verdict.ts';

/** Releases that a message names before it only counts. */
const NAMED = 5;

/**
 * The one sentence about a Release that may not be applied: for what it waits, for whom, since when and until when. The same
 * verdict gives the same text at any time, so that a status that says the same is not written again.
 */
export function clusterWaveMessage(verdict: ClosedClusterWave, place: Place): string {
  const { failing, since, until } = verdict;
  const wanted = place.strategy === 'waitForApplied' ? 'applied' : 'healthy';
  const named = nameReleases(failing);
  if (until === undefined)
    return `cluster wave ${place.wave} waits for Releases of lower waves to be ${wanted}: ${named}; without limit`;
  const limit = formatDuration(until - since);
  if (verdict.gate === 'failed') {
    const times = `since ${timeText(since)}, over at ${timeText(until)}`;
    return `Releases of lower waves were not ${wanted} within ${limit}, so cluster wave ${place.wave} is not applied: ${named}; ${times}`;
  }
  const times = `since ${timeText(since)}, until ${timeText(until)} (${limit})`;
  return `cluster wave ${place.wave} waits for Releases of lower waves to be ${wanted}: ${named}; ${times}`;
}

/** `database (wave 0, Progressing), cache (wave 1, no status)`; at most five, then a count. */
function nameReleases(releases: readonly Standing[]): string {
  const named = releases.slice(0, NAMED).map(({ name, wave, why }) => `${name} (wave ${wave}, ${why})`);
  const more = releases.length - NAMED;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
