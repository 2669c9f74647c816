import { createHash } from 'node:crypto';
import type { Release } from '../../api/release.ts';
import { clusterOf } from '../clusterWaves/place.ts';

/** One of several controllers that share the clusters among them; the one of one has all. */
export interface Shard {
  /** From 0. */
  index: number;
  count: number;
}

/**
 * Whether a shard looks after a cluster, with all Releases on it: their waves wait for each other there (waves.md, axis B).
 * @param cluster `namespace/name` of a Cluster; `namespace/` for the controller's own cluster, which is one in each namespace
 */
export function holdsCluster({ index, count }: Shard, cluster: string): boolean {
  return count === 1 || digestOf(cluster) % count === index;
}

/** Whether a shard looks after a Release. */
export function holdsRelease(shard: Shard, release: Pick<Release, 'metadata' | 'spec'>): boolean {
  return holdsCluster(shard, clusterOf(release));
}

/** What is of no cluster is done by one shard. */
export function holdsTheRest({ index }: Shard): boolean {
  return index === 0;
}

/** The same on every machine and in every version: a cluster must never have two shards. */
function digestOf(cluster: string): number {
  return createHash('sha256').update(cluster).digest().readUInt32BE(0);
}
