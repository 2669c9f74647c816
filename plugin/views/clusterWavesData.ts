import type { RankedRelease } from './clusterWavesTable.ts';
import { readinessOf } from './readiness.ts';
import { durationOf, timeOf } from './wavesData.ts';

/** What `cluster waves -o json` prints of one Release: the same as the table, with exact times. */
export function clusterWavesData({ release, place, verdict }: RankedRelease): Record<string, unknown> {
  const { namespace, name } = release.metadata;
  const { status, reason } = readinessOf(release);
  const { wave, strategy, limitMs } = place;
  const row = { namespace, name, wave, strategy, limit: durationOf(limitMs), ready: { status, reason } };
  if (verdict.gate === 'open') return { ...row, waitsFor: [] };
  return {
    ...row,
    failed: verdict.gate === 'failed',
    since: timeOf(verdict.since),
    until: timeOf(verdict.until),
    waitsFor: verdict.failing.map((other) => ({ name: other.name, wave: other.wave, why: other.why })),
  };
}
