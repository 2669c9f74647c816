import type { Release } from '../../api/release.ts';
import { type Place, placeOf } from '../../engine/clusterWaves/place.ts';
import { standingOf } from '../../engine/clusterWaves/standing.ts';
import { type ClusterVerdict, judgeClusterWave } from '../../engine/clusterWaves/verdict.ts';
import { readinessOf } from './readiness.ts';
import { type Cell, type Column, table, type TableOptions } from './table.ts';
import { limitText, span } from './time.ts';

/** A Release among those of its cluster. */
export interface RankedRelease {
  release: Release;
  place: Place;
  verdict: ClusterVerdict;
}

/** The Releases of one cluster by wave, each with those that it waits for, by what they say now. */
export function rankReleases(releases: readonly Release[], now: Date): RankedRelease[] {
  const standings = releases.flatMap((release) => standingOf(release) ?? []);
  return releases
    .map((release): RankedRelease => {
      const place = placeOf(release);
      return { release, place, verdict: judgeClusterWave(place, standings, now.getTime()) };
    })
    .sort((a, b) => a.place.wave - b.place.wave || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** A row for each Release: its wave, how it stands, what it asks of lower waves and whom it waits for. */
export function clusterWavesTable(
  ranked: readonly RankedRelease[],
  options: TableOptions & { now: Date },
): string[] {
  const columns: Column<RankedRelease>[] = [
    { header: 'WAVE', cell: ({ place }) => String(place.wave) },
    { header: 'RELEASE', cell: nameOf },
    { header: 'READY', cell: ready },
    { header: 'REASON', cell: ({ release }) => readinessOf(release).reason, dropAt: 2 },
    { header: 'NEEDS', cell: ({ place }) => needsText(place), dropAt: 1 },
    { header: 'WAITS FOR', cell: (row) => waitsCell(row, options.now), shrinkTo: 14 },
  ];
  return table(columns, ranked, options);
}

function nameOf({ release }: RankedRelease): string {
  return release.metadata.name;
}

function ready({ release }: RankedRelease): Cell {
  const { status, tone } = readinessOf(release);
  return { text: status, tone };
}

/** What a Release asks of those of lower waves: `healthy, at most 5m`. */
function needsText({ strategy, limitMs }: Place): string {
  const what = strategy === 'waitForApplied' ? 'applied' : 'healthy';
  return limitMs === undefined ? what : `${what}, at most ${limitText(limitMs)}`;
}

function waitsCell({ verdict }: RankedRelease, now: Date): Cell {
  if (verdict.gate === 'open') return { text: '-' };
  const { until, failing, gate } = verdict;
  const names = failing.map(({ name }) => name).join(', ');
  if (until === undefined) return { text: names, tone: 'warn' };
  if (gate === 'failed')
    return { text: `${names}: limit passed ${span(now.getTime() - until)} ago`, tone: 'bad' };
  return { text: `${names}: ${span(until - now.getTime())} left`, tone: 'warn' };
}
