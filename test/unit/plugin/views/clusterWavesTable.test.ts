import { expect, test } from 'vitest';
import { plain } from '../../../../plugin/cli/paint.ts';
import { clusterWavesData } from '../../../../plugin/views/clusterWavesData.ts';
import { clusterWavesTable, rankReleases } from '../../../../plugin/views/clusterWavesTable.ts';
import { conditionOf, releaseOf } from '../../engine/clusterWaves/support.ts';

const NOW = new Date('2026-05-01T10:01:00Z');
const RANKED = rankReleases(
  [
    releaseOf('front', {
      waveStrategy: { wave: 2, strategy: 'waitForHealthyWithTimeout', timeout: '5m' },
    }),
    releaseOf('database', {
      conditions: [
        conditionOf('Ready False Degraded'),
        conditionOf('Applied True Applied'),
        conditionOf('Healthy False Degraded'),
      ],
    }),
    releaseOf('cache', { waveStrategy: { wave: 1 } }),
  ],
  NOW,
);

test('the Releases of a cluster stand by wave, with those that each waits for', () => {
  const lines = clusterWavesTable(RANKED, { now: NOW, paint: plain });
  expect(lines.map((line) => line.replace(/ {3,}/g, ' | ').trim())).toEqual([
    'WAVE | RELEASE | READY | REASON | NEEDS | WAITS FOR',
    expect.stringMatching(/^0 \| database \| .* \| applied \| -$/),
    expect.stringMatching(/^1 \| cache \| .* \| applied \| -$/),
    expect.stringMatching(/^2 \| front \| .* \| healthy, at most 5m \| database, cache: 4m left$/),
  ]);
});

test('programs read the same with exact times', () => {
  expect(RANKED.map(clusterWavesData)[2]).toMatchObject({
    name: 'front',
    wave: 2,
    failed: false,
    until: '2026-05-01T10:05:00.000Z',
    waitsFor: [
      { name: 'database', wave: 0, why: 'Degraded' },
      { name: 'cache', wave: 1, why: 'no status' },
    ],
  });
});
