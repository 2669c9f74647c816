import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../api/cluster.ts';
import { API_VERSION } from '../../../../api/group.ts';
import { clusterStatus } from '../../../../controller/clusters/status.ts';

const NOW = new Date('2026-12-03T12:00:00.500Z');
const LATER = new Date('2026-12-03T12:05:00Z');
const CONNECTED = { reason: 'Connected', serverVersion: 'v1.36.0', latencyMilliseconds: 3 } as const;
const LOST = { reason: 'Unreachable', message: 'no answer' } as const;

const cluster: Cluster = {
  apiVersion: API_VERSION,
  kind: 'Cluster',
  metadata: { name: 'prod', namespace: 'apps', generation: 2 },
};

describe('the status of a Cluster', () => {
  it('tells what answered, when, how quickly, and how many Releases are on it', () => {
    expect(clusterStatus(cluster, CONNECTED, 3, NOW)).toEqual({
      observedGeneration: 2,
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'Connected',
          message: 'its API server answers (v1.36.0)',
          lastTransitionTime: '2026-12-03T12:00:00Z',
          observedGeneration: 2,
        },
      ],
      releases: 3,
      serverVersion: 'v1.36.0',
      lastContact: '2026-12-03T12:00:00Z',
      latencyMilliseconds: 3,
    });
  });

  it('keeps when it answered last while it does not', () => {
    const before = clusterStatus(cluster, CONNECTED, 3, NOW);
    const lost = clusterStatus({ ...cluster, status: before }, LOST, 3, LATER);
    expect(lost).toMatchObject({ serverVersion: 'v1.36.0', lastContact: '2026-12-03T12:00:00Z' });
    expect(lost.conditions).toMatchObject([
      {
        status: 'False',
        reason: 'Unreachable',
        message: 'no answer',
        lastTransitionTime: '2026-12-03T12:05:00Z',
      },
    ]);
  });

  it('was never in contact with what never answered', () => {
    expect(clusterStatus(cluster, LOST, 0, NOW)).not.toHaveProperty('lastContact');
  });
});
