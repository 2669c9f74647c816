import type { Release } from '../../api/release.ts';
import { conditionOf, readinessOf, toneOf } from './readiness.ts';
import { shortDigest } from './sourceText.ts';
import { type Cell, type Column, type ListTableOptions, NAMESPACE, table } from './table.ts';
import { ageOf } from './time.ts';

/** The table of `release get`: the columns are those that `kubectl get releases` prints. */
export function releaseTable(releases: readonly Release[], options: ListTableOptions): string[] {
  const { wide, allNamespaces, now } = options;
  return table([...(allNamespaces ? [NAMESPACE] : []), ...columns(wide, now)], releases, options);
}

function columns(wide: boolean, now: Date): Column<Release>[] {
  return [
    { header: 'NAME', cell: (release) => release.metadata.name },
    { header: 'READY', cell: ready },
    { header: 'REASON', cell: (release) => readinessOf(release).reason },
    {
      header: 'REVISION',
      cell: (release) => shortDigest(release.status?.source?.revision ?? '-'),
      // Whoever asks for wide wants the columns; otherwise the message tells more than a digest.
      dropAt: wide ? 2 : 1,
    },
    ...(wide ? WIDE : []),
    { header: 'AGE', cell: (release) => ageOf(release.metadata.creationTimestamp, now) },
    {
      header: 'MESSAGE',
      cell: (release) => readinessOf(release).message,
      shrinkTo: 14,
      dropAt: wide ? 1 : 2,
    },
  ];
}

const WIDE: readonly Column<Release>[] = [
  { header: 'APPLIED', cell: (release) => conditionCell(release, 'Applied'), dropAt: 6 },
  { header: 'HEALTHY', cell: (release) => conditionCell(release, 'Healthy'), dropAt: 7 },
  { header: 'ROLLOUT', cell: (release) => release.status?.rollout?.state ?? '-', dropAt: 3 },
  { header: 'CLUSTER', cell: (release) => release.spec.clusterRef?.name ?? '-', dropAt: 4 },
  { header: 'OBJECTS', cell: (release) => String(release.status?.inventory?.entries ?? '-'), dropAt: 5 },
];

function ready(release: Release): Cell {
  const { status, tone } = readinessOf(release);
  return { text: status, tone };
}

function conditionCell(release: Release, type: 'Applied' | 'Healthy'): Cell {
  const condition = conditionOf(release, type);
  return condition === undefined ? { text: '-' } : { text: condition.status, tone: toneOf(condition) };
}
