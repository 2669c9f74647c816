import { describe, expect, it } from 'vitest';
import type { InventoryEntry } from '../../../../api/inventory.ts';
import type { Release, ReleaseStatus } from '../../../../api/release.ts';
import { stateText } from '../../../../plugin/views/waveTable.ts';
import { currentRender, waveStates } from '../../../../plugin/waves/waveStates.ts';
import { applied, before, condition, digest, entry, health, NOW, release } from '../release.ts';

const ATTEMPT = { renderRef: digest('a'), at: before(200) };

function assessed(status: ReleaseStatus): Release {
  return release(
    { lastAttempted: ATTEMPT, ...status },
    { spec: { source: { inline: 'x' }, healthAssessment: {} } },
  );
}

function states(of: Release, entries: readonly InventoryEntry[]): string[] {
  return waveStates(of, entries, NOW).map((wave) => `${wave.number} ${stateText(wave, NOW)}`);
}

const healthy = health('Healthy');
const slow = health('Progressing');
const unlimited = { strategy: 'waitForHealthy' } as const;
const limited = (timeout: string) => ({ strategy: 'waitForHealthyWithTimeout', timeout }) as const;

describe('the waves of a Release', () => {
  it.each<[string, InventoryEntry[], number[], string[]]>([
    [
      'all healthy',
      [entry({ health: healthy }), entry({ wave: 1, health: healthy })],
      [0, 1],
      ['0 done', '1 done'],
    ],
    [
      'not healthy, without a gate',
      [entry({ health: slow }), entry({ wave: 1, health: healthy })],
      [0, 1],
      ['0 applied, not all healthy', '1 done'],
    ],
    [
      'a hold without limit',
      [entry({ health: slow }), entry({ wave: 3, ...unlimited })],
      [0],
      ['0 applied, not all healthy', '3 waits for wave 0'],
    ],
    [
      'a hold with a limit',
      [entry({ health: slow }), entry({ wave: 1, ...limited('2m0s') }), entry({ wave: 7 })],
      [0],
      ['0 applied, not all healthy', '1 waits for wave 0: 20s left', '7 comes after wave 1'],
    ],
    [
      'the largest limit counts',
      [
        entry({ health: slow }),
        entry({ name: 'a', wave: 1, ...limited('1m') }),
        entry({ name: 'b', wave: 1, ...limited('5m') }),
      ],
      [0],
      ['0 applied, not all healthy', '1 waits for wave 0: 3m20s left'],
    ],
    [
      'a limit that passed',
      [entry({ health: slow }), entry({ wave: 1, ...limited('40s') })],
      [0],
      ['0 applied, not all healthy', '1 failed 60s ago: wave 0 is not healthy'],
    ],
    [
      'no state for this render',
      [entry({ health: { ...healthy, renderRef: digest('b') } }), entry({ wave: 1, ...unlimited })],
      [0],
      ['0 applied, not all healthy', '1 waits for wave 0'],
    ],
    [
      'a loss of health after it was open',
      [
        entry({ health: health('Degraded', { seconds: 30 }) }),
        entry({ wave: 1, ...limited('60s'), health: healthy }),
      ],
      [0, 1],
      ['0 applied, not all healthy', '1 waits for wave 0: 30s left'],
    ],
    [
      'a purged object counts as healthy',
      [entry({ purged: true }), entry({ wave: 1, ...unlimited })],
      [0],
      ['0 done', '1 is next'],
    ],
    [
      'only the wave before counts',
      [
        entry({ health: slow }),
        entry({ wave: 1, health: healthy }),
        entry({ wave: 2, ...unlimited, health: healthy }),
      ],
      [0, 1, 2],
      ['0 applied, not all healthy', '1 done', '2 done'],
    ],
    [
      'objects that left the render',
      [entry({ health: healthy }), entry({ wave: 9, renderRef: digest('b') })],
      [0],
      ['0 done'],
    ],
    ['nothing applied', [entry(), entry({ wave: 1 })], [], ['0 is next', '1 comes after wave 0']],
  ])('%s', (_, entries, waves, expected) => {
    expect(states(assessed({ waves: waves.map((number) => applied(number)) }), entries)).toEqual(expected);
  });

  it('wait for nothing without a health assessment', () => {
    const of = release({ lastAttempted: ATTEMPT, waves: [applied(0), applied(1)] });
    const waves = waveStates(of, [entry(), entry({ wave: 1, ...unlimited })], NOW);
    expect(waves.map(({ standing, gate, healthy: number }) => [standing.phase, gate, number])).toEqual([
      ['done', undefined, undefined],
      ['done', undefined, undefined],
    ]);
  });

  it('tell what stopped one whose gate is open', () => {
    const of = assessed({
      conditions: [condition('Ready', 'False', 'ApplyFailed')],
      waves: [applied(0)],
    });
    const entries = [entry({ health: healthy }), entry({ wave: 1, ...unlimited })];
    expect(states(of, entries)).toEqual(['0 done', '1 stopped: ApplyFailed']);
  });

  it('are those of the status where there is no inventory', () => {
    const of = assessed({
      waves: [
        { ...applied(0, { resources: 4 }), healthy: true },
        { ...applied(5), healthy: false },
      ],
    });
    expect(waveStates(of, [], NOW)).toMatchObject([
      { number: 0, objects: 4, applied: 4, healthy: 4, after: undefined, standing: { phase: 'done' } },
      { number: 5, objects: 1, healthy: undefined, after: 0, standing: { phase: 'applied' } },
    ]);
  });

  it('are none where nothing is known', () => {
    expect(waveStates(release(undefined), [entry()], NOW)).toEqual([]);
  });
});

it('the current render is the last healthy one after a rollback', () => {
  const status: ReleaseStatus = {
    lastAttempted: ATTEMPT,
    lastHealthy: { renderRef: digest('c'), revision: 'r', at: before(900) },
  };
  expect(currentRender(release(status))).toBe(digest('a'));
  const rolledBack = { ...status, conditions: [condition('Applied', 'True', 'RolledBack')] };
  expect(currentRender(release(rolledBack))).toBe(digest('c'));
});
