import type { Cluster, ClusterStatus } from '../../api/cluster.ts';
import { CLUSTER_REASONS } from '../../api/conditions.ts';
import { timestamp, withCondition } from '../release/conditions.ts';
import type { Reach } from './reach.ts';

/** What the status of a Cluster says: how it was found, and how many Releases are on it. Pure. */
export function clusterStatus(cluster: Cluster, found: Reach, releases: number, now: Date): ClusterStatus {
  const { status: before = {}, metadata } = cluster;
  const { generation = 0 } = metadata;
  const at = timestamp(now);
  const contact =
    found.reason === 'Connected'
      ? {
          serverVersion: found.serverVersion,
          lastContact: at,
          latencyMilliseconds: found.latencyMilliseconds,
        }
      : contactOf(before);
  const observed = {
    status: CLUSTER_REASONS[found.reason].status,
    reason: found.reason,
    message: found.reason === 'Connected' ? `its API server answers (${found.serverVersion})` : found.message,
  };
  return {
    observedGeneration: generation,
    conditions: withCondition(before.conditions ?? [], 'Ready', observed, { now: at, generation }),
    releases,
    ...contact,
  };
}

/** Kept while the cluster does not answer: since when is what a person wants to know then. */
function contactOf({
  serverVersion,
  lastContact,
  latencyMilliseconds,
}: ClusterStatus): Partial<ClusterStatus> {
  return {
    ...(serverVersion === undefined ? {} : { serverVersion }),
    ...(lastContact === undefined ? {} : { lastContact }),
    ...(latencyMilliseconds === undefined ? {} : { latencyMilliseconds }),
  };
}
