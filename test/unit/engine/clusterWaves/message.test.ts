import { describe, expect, test } from 'vitest';
import { clusterWaveMessage } from '../../../../engine/clusterWaves/message.ts';
import { standing } from './support.ts';

const START = Date.parse('2026-05-01T10:00:00.400Z');
const APPLIED = { wave: 2, strategy: 'waitForApplied' } as const;
const TIMED = { wave: 2, strategy: 'waitForHealthyWithTimeout', limitMs: 300_000 } as const;
const DATABASE = standing('database', { why: 'Progressing' });
const CACHE = standing('cache', { wave: 1, why: 'no status' });

describe('what is said of a Release that may not be applied (waves.md, axis B, 3 and 4)', () => {
  test('a hold names those that are waited for, their waves and why', () => {
    const verdict = { gate: 'hold', failing: [DATABASE, CACHE], since: START } as const;
    expect(clusterWaveMessage(verdict, APPLIED)).toBe(
      'cluster wave 2 waits for Releases of lower waves to be applied: ' +
        'database (wave 0, Progressing), cache (wave 1, no status); without limit',
    );
  });

  test('a hold with a limit says since when and until when', () => {
    const verdict = { gate: 'hold', failing: [DATABASE], since: START, until: START + 300_000 } as const;
    expect(clusterWaveMessage(verdict, TIMED)).toBe(
      'cluster wave 2 waits for Releases of lower waves to be healthy: database (wave 0, Progressing); ' +
        'since 2026-05-01T10:00:00Z, until 2026-05-01T10:05:00Z (5m0s)',
    );
  });

  test('a failure says what is not applied', () => {
    const verdict = { gate: 'failed', failing: [DATABASE], since: START, until: START + 300_000 } as const;
    expect(clusterWaveMessage(verdict, TIMED)).toBe(
      'Releases of lower waves were not healthy within 5m0s, so cluster wave 2 is not applied: ' +
        'database (wave 0, Progressing); since 2026-05-01T10:00:00Z, over at 2026-05-01T10:05:00Z',
    );
  });

  test.each([
    [5, 'r4 (wave 0, no status); without limit'],
    [6, 'r4 (wave 0, no status) and 1 more; without limit'],
    [300, 'r4 (wave 0, no status) and 295 more; without limit'],
  ])('of %d Releases at most five are named', (number, end) => {
    const failing = Array.from({ length: number }, (_, i) => standing(`r${i}`, { why: 'no status' }));
    const message = clusterWaveMessage({ gate: 'hold', failing, since: START }, APPLIED);
    expect(message.endsWith(end)).toBe(true);
    expect(message.match(/r\d/g)).toHaveLength(5);
  });
});
