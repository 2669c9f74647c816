import { describe, expect, test } from 'vitest';
import type { WaveStatus } from '../../../../api/release.ts';
import { WaveEntries } from '../../../../controller/release/waveEntries.ts';
import { planOf } from '../../../../engine/plan/plan.ts';
import { sketch } from '../../engine/plan/support.ts';

const FIRST = new Date('2026-05-01T10:00:00.500Z');
const LATER = new Date('2026-05-01T10:05:00Z');
const [planned] = planOf(
  ['a', 'b'].map((name) =>
    sketch({ kind: 'ConfigMap', namespace: 'shop', name, annotations: { 'sync-wave': '3' } }),
  ),
).waves;
if (planned === undefined) throw new Error('the plan has a wave');
const wave = planned;

/** One reconcile of the wave that comes to the end of it. */
function whole(before: readonly WaveStatus[], at: Date): WaveEntries {
  const entries = new WaveEntries(before);
  entries.started(wave, at);
  entries.applied();
  entries.applied();
  entries.completed(wave, at);
  return entries;
}

describe('status.waves (waves.md, axis A, 7 and 9)', () => {
  test('has an entry for a wave that was applied, with its times', () => {
    expect(whole([], FIRST).entries).toEqual([
      {
        number: 3,
        resources: 2,
        applied: 2,
        state: 'Completed',
        startedAt: '2026-05-01T10:00:00.500Z',
        completedAt: '2026-05-01T10:00:00.500Z',
      },
    ]);
  });

  test('keeps its times over later reconciles of the same render', () => {
    const before = whole([], FIRST).entries;
    expect(whole(before, LATER).entries).toEqual(before);
  });

  test('has new times where the clocks start again', () => {
    expect(whole([], LATER).entries).toMatchObject([{ startedAt: '2026-05-01T10:05:00.000Z' }]);
  });

  test('says how far a wave came that waits or failed in part, and keeps when that began', () => {
    const part = new WaveEntries([]);
    part.started(wave, FIRST);
    part.applied();
    expect(part.entries).toMatchObject([{ resources: 2, applied: 1 }]);
    expect(part.entries[0]).not.toHaveProperty('completedAt');
    expect(whole(part.entries, LATER).entries).toMatchObject([
      { startedAt: '2026-05-01T10:00:00.500Z', completedAt: '2026-05-01T10:05:00.000Z' },
    ]);
  });

  test('gives the clock of the gate behind it', () => {
    expect(whole([], FIRST).startOf(3)).toBe(FIRST.getTime());
  });
});
