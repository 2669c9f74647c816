import type { Cluster } from '../../api/cluster.ts';
import { clusterStanding } from './clusterStanding.ts';
import { type Column, type ListTable, NAMESPACE, table } from './table.ts';
import { ageOf, ago } from './time.ts';

/** The table of `cluster get`: the columns are those that `kubectl get clusters` prints, with the reason. */
export const clusterTable: ListTable<Cluster> = (clusters, options) => {
  const { wide, allNamespaces, now } = options;
  return table([...(allNamespaces ? [NAMESPACE] : []), ...columns(wide, now)], clusters, options);
};

function columns(wide: boolean, now: Date): Column<Cluster>[] {
  return [
    { header: 'NAME', cell: ({ metadata }) => metadata.name },
    {
      header: 'READY',
      cell: (cluster) => {
        const { status, tone } = clusterStanding(cluster, now);
        return { text: status, tone };
      },
    },
    { header: 'REASON', cell: (cluster) => clusterStanding(cluster, now).reason },
    { header: 'VERSION', cell: ({ status }) => status?.serverVersion ?? '-', dropAt: 1 },
    { header: 'RELEASES', cell: ({ status }) => String(status?.releases ?? '-'), dropAt: 3 },
    ...(wide ? wideColumns(now) : []),
    { header: 'AGE', cell: ({ metadata }) => ageOf(metadata.creationTimestamp, now) },
    {
      header: 'MESSAGE',
      cell: (cluster) => messageOf(cluster, now),
      shrinkTo: 14,
      dropAt: 2,
    },
  ];
}

function wideColumns(now: Date): Column<Cluster>[] {
  return [
    {
      header: 'PAUSED',
      cell: ({ spec }) => (spec?.paused === true ? { text: 'true', tone: 'warn' } : 'false'),
      dropAt: 5,
    },
    { header: 'ANSWERED', cell: ({ status }) => ago(status?.lastContact, now), dropAt: 6 },
    { header: 'IN', cell: ({ status }) => latencyText(status?.latencyMilliseconds), dropAt: 4 },
  ];
}

function messageOf(cluster: Cluster, now: Date): string {
  const { message } = clusterStanding(cluster, now);
  return cluster.spec?.paused === true ? `paused; ${message}` : message;
}

/** `12 ms`. */
export function latencyText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${milliseconds} ms`;
}
