import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsCluster, holdsRelease } from '../../../../engine/shards/shard.ts';

const indexesOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const cluster = fc.tuple(fc.stringMatching(/^[a-z0-9-]{1,20}$/), fc.stringMatching(/^[a-z0-9.-]{0,20}$/));

describe('shards', () => {
  /** What runs in clusters relies on it: of two versions side by side, both would hold a cluster whose shard had changed. */
  it.each([
    ['apps/', 3, 1],
    ['apps/prod', 3, 2],
    ['apps/staging', 3, 0],
    ['team-a/prod', 3, 1],
    ['apps/prod', 2, 0],
    ['apps/', 2, 0],
  ])('the shard of %s among %d is always %d', (name, count, expected) => {
    expect(indexesOf(count).filter((index) => holdsCluster({ index, count }, name))).toEqual([expected]);
  });

  it('hold each cluster once', () => {
    fc.assert(
      fc.property(cluster, fc.integer({ min: 1, max: 64 }), ([namespace, name], count) => {
        const holders = indexesOf(count).filter((index) =>
          holdsCluster({ index, count }, `${namespace}/${name}`),
        );
        expect(holders).toHaveLength(1);
      }),
    );
  });

  it('hold all Releases of a cluster together, those of no cluster by their namespace', () => {
    fc.assert(
      fc.property(cluster, fc.integer({ min: 1, max: 64 }), ([namespace, name], count) => {
        const spec = { source: { inline: '' }, ...(name === '' ? {} : { clusterRef: { name } }) };
        for (const index of indexesOf(count)) {
          const shard = { index, count };
          const held = holdsRelease(shard, { metadata: { namespace, name: 'any' }, spec });
          expect(held).toBe(holdsCluster(shard, `${namespace}/${name}`));
        }
      }),
    );
  });

  it('share clusters about evenly', () => {
    const clusters = Array.from({ length: 1000 }, (_, index) => `fleet/member-${index}`);
    for (const index of indexesOf(8)) {
      const held = clusters.filter((name) => holdsCluster({ index, count: 8 }, name)).length;
      expect(held).toBeGreaterThan(85);
      expect(held).toBeLessThan(165);
    }
  });

  it('the one of one holds all', () => {
    expect(holdsCluster({ index: 0, count: 1 }, 'apps/prod')).toBe(true);
  });
});
