import { describe, expect, test } from 'vitest';
import { clusterOf, placeOf } from '../../../../engine/clusterWaves/place.ts';
import { releaseOf } from './support.ts';

describe('the place of a Release (waves.md, axis B)', () => {
  test.each([
    ['nothing said', undefined, { wave: 0, strategy: 'waitForApplied' }],
    ['a wave alone', { wave: -3 }, { wave: -3, strategy: 'waitForApplied' }],
    ['waitForHealthy', { wave: 1, strategy: 'waitForHealthy' }, { wave: 1, strategy: 'waitForHealthy' }],
    [
      'a timeout',
      { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '1m30s' },
      { wave: 1, strategy: 'waitForHealthyWithTimeout', limitMs: 90_000 },
    ],
    [
      '4: without timeout there is no limit',
      { wave: 1, strategy: 'waitForHealthyWithTimeout' },
      { wave: 1, strategy: 'waitForHealthyWithTimeout' },
    ],
    [
      '4: a timeout with another strategy has no effect',
      { wave: 1, strategy: 'waitForHealthy', timeout: '1m' },
      { wave: 1, strategy: 'waitForHealthy' },
    ],
  ] as const)('%s', (_, waveStrategy, place) => {
    expect(placeOf(releaseOf('a', waveStrategy === undefined ? {} : { waveStrategy }))).toEqual(place);
  });
});

describe('1: Releases of one cluster', () => {
  const home = clusterOf(releaseOf('a'));

  test('are those of one namespace without a clusterRef', () => {
    expect(clusterOf(releaseOf('b'))).toBe(home);
  });

  test('and those that name the same Cluster', () => {
    const prod = clusterOf(releaseOf('a', { cluster: 'prod' }));
    expect(clusterOf(releaseOf('b', { cluster: 'prod' }))).toBe(prod);
    expect(prod).not.toBe(home);
  });

  test('and none of another namespace', () => {
    expect(clusterOf(releaseOf('a', { namespace: 'web' }))).not.toBe(home);
    const [one, two] = ['apps', 'web'].map((namespace) =>
      clusterOf(releaseOf('a', { namespace, cluster: 'prod' })),
    );
    expect(one).not.toBe(two);
  });
});
