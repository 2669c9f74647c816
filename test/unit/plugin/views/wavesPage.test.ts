import { describe, expect, it } from 'vitest';
import type { InventoryView } from '../../../../plugin/cluster/inventory.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { wavesData } from '../../../../plugin/views/wavesData.ts';
import { wavesPage, type WavesPageOptions } from '../../../../plugin/views/wavesPage.ts';
import { condition, NOW, release, waiting } from '../release.ts';

const { release: held, entries } = waiting();

function page(inventory: InventoryView = entries, options: Partial<WavesPageOptions> = {}): string[] {
  return wavesPage([held], () => inventory, {
    ...{ now: NOW, width: 80, paint: plain, headers: true, wide: false },
    ...options,
  });
}

describe('the page of waves', () => {
  it('has a row for each wave, with its gate and the time that is left', () => {
    expect(page()).toEqual([
      'Release podinfo in apps: not ready (WaitingForWaveHealth, for 2m10s)',
      'WAVE   HEALTHY   STARTED    GATE                  STATE',
      '0      1/2       100s ago   -                     applied, not all healthy',
      '1      0/1       -          healthy, at most 2m   waits for wave 0: 20s left',
      '2      0/1       -          healthy               comes after wave 1',
    ]);
  });

  it('fits a wider terminal whole', () => {
    expect(page(entries, { width: 120 })).toEqual([
      'Release podinfo in apps: not ready (WaitingForWaveHealth, for 2m10s)',
      'WAVE   OBJECTS   APPLIED   HEALTHY   STARTED    GATE                  STATE',
      '0      2         2         1/2       100s ago   -                     applied, not all healthy',
      '1      1         0         0/1       -          healthy, at most 2m   waits for wave 0: 20s left',
      '2      1         0         0/1       -          healthy               comes after wave 1',
    ]);
  });

  it('says in one line why there is none', () => {
    const none = [
      release({ conditions: [condition('Ready', 'False', 'SourceFailed', 'no ConfigMap\nshop')] }),
      release(undefined, { metadata: { name: 'new', namespace: 'apps' } }),
    ];
    expect(
      wavesPage(none, () => [], { now: NOW, width: 80, paint: plain, headers: true, wide: false }),
    ).toEqual([
      'Release podinfo in apps: no wave is applied: SourceFailed: no ConfigMap; shop',
      '',
      'Release new in apps: no wave is applied: no status yet: the controller has not',
      '  taken this Release up',
    ]);
  });

  it('shows what the status says to those who may not read the inventory', () => {
    expect(page({ unreadable: 'forbidden' })).toEqual([
      'Release podinfo in apps: not ready (WaitingForWaveHealth, for 2m10s)',
      'WAVE   OBJECTS   APPLIED   HEALTHY   STARTED    GATE   STATE',
      '0      2         2         no        100s ago   -      applied, not all healthy',
      '  gates and objects are not known: forbidden',
    ]);
  });
});

it('the data of waves has exact times and the objects that are waited for', () => {
  expect(JSON.parse(JSON.stringify(wavesData(held, entries, NOW)))).toMatchObject({
    namespace: 'apps',
    name: 'podinfo',
    ready: { status: 'False', reason: 'WaitingForWaveHealth' },
    waves: [
      { number: 0, objects: 2, applied: 2, healthyObjects: 1, healthy: false, state: 'applied' },
      {
        number: 1,
        gate: { afterWave: 0, limit: '2m0s' },
        state: 'waits',
        since: '2026-03-01T11:58:20.000Z',
        until: '2026-03-01T12:00:20.000Z',
        unhealthy: [{ group: 'apps', kind: 'Deployment', name: 'web', state: 'Progressing' }],
      },
      { number: 2, gate: { afterWave: 1 }, state: 'behind' },
    ],
  });
});
