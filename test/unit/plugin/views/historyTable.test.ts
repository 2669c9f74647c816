import { describe, expect, it } from 'vitest';
import type { ReleaseStatus } from '../../../../api/release.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { historyData, historyTable } from '../../../../plugin/views/historyTable.ts';
import { before, digest, NOW, release } from '../release.ts';

const entry = (number: number, letter: string, by?: string) => ({
  ...{ number, renderRef: digest(letter), revision: digest('f'), appliedAt: before(number * 60) },
  ...(by === undefined ? {} : { by }),
});
const record = (letter: string) => ({ renderRef: digest(letter), revision: 'r', at: before(1) });
const status: ReleaseStatus = {
  history: [entry(4, 'c', 'anna'), entry(3, 'b'), entry(2, 'a'), entry(1, 'b')],
  lastSuccessful: record('b'),
  lastHealthy: record('b'),
  rollout: { state: 'RolledBack', renderRef: digest('c'), startedAt: before(100) },
};
const options = { now: NOW, wide: false, paint: plain };

describe('the table of renders', () => {
  it('tells what each is now, of one that came again by its newest entry', () => {
    expect(historyTable(release(status), options)).toEqual([
      'NUMBER   RENDER                REVISION              APPLIED   BY     NOW',
      '4        sha256:cccccccccccc   sha256:ffffffffffff   4m ago    anna   rolled back',
      '3        sha256:bbbbbbbbbbbb   sha256:ffffffffffff   3m ago    -      applied, last healthy',
      '2        sha256:aaaaaaaaaaaa   sha256:ffffffffffff   2m ago    -',
      '1        sha256:bbbbbbbbbbbb   sha256:ffffffffffff   60s ago   -',
    ]);
  });

  it('has whole digests where it may be wide, and fits 80 columns', () => {
    expect(historyTable(release(status), { ...options, wide: true })[1]).toContain(digest('c'));
    const lines = historyTable(release(status), { ...options, width: 80 });
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[2]).toContain('applied, last healthy');
  });

  it('is empty without a history', () => {
    expect(historyTable(release({}), options)).toEqual([]);
    expect(historyData(release({}))).toMatchObject({ items: [] });
  });
});
