import { describe, expect, test } from 'vitest';
import { Inventory } from '../../../../controller/inventory/inventory.ts';
import { listBeforeApply } from '../../../../controller/release/listing.ts';
import { recordHealth } from '../../../../controller/release/recordHealth.ts';
import { planOf } from '../../../../engine/plan/plan.ts';
import type { ObjectHealth } from '../../../../engine/waves/verdict.ts';
import { sketch } from '../../engine/plan/support.ts';

const RENDER = `sha256:${'0'.repeat(64)}`;
const SINCE = Date.parse('2026-05-01T10:00:00Z');
const plan = planOf(
  ['a', 'b', 'c'].map((name) => sketch({ group: 'apps', kind: 'Deployment', namespace: 'shop', name })),
);

const state = (state: ObjectHealth['state'], message = ''): ObjectHealth => ({
  state,
  message,
  since: SINCE,
});

/** Health of the objects a, b and c; absent: not applied. */
function record(healths: Readonly<Record<string, ObjectHealth>>) {
  const inventory = new Inventory();
  listBeforeApply(inventory, plan, RENDER);
  const health = recordHealth(inventory, plan, RENDER, ({ name }) => healths[name]);
  return { health, inventory };
}

describe('how healthy a render is', () => {
  test('all of it', () => {
    const { health } = record({ a: state('Healthy'), b: state('Healthy'), c: state('Healthy') });
    expect(health).toMatchObject({ reason: 'AllHealthy', message: '3 of 3 objects healthy' });
  });

  test('what is not healthy is named, the worst decides', () => {
    const { health } = record({
      a: state('Healthy'),
      b: state('Progressing', '0 of 1'),
      c: state('Degraded'),
    });
    expect(health).toMatchObject({
      reason: 'Degraded',
      counts: { healthy: 1, progressing: 1, degraded: 1, unknown: 0 },
      message:
        '1 of 3 objects healthy: apps/Deployment b in shop (Progressing: 0 of 1); apps/Deployment c in shop (Degraded)',
    });
  });

  test('it is on its way while objects are not applied, however healthy the others are', () => {
    const { health } = record({ a: state('Healthy') });
    expect(health).toMatchObject({
      reason: 'Progressing',
      message: '1 of 3 objects healthy, 2 not applied',
    });
  });

  test('the inventory has each state with its time and render', () => {
    const { inventory } = record({ a: state('Progressing', '0 of 1'), b: state('Healthy') });
    const [a, b, c] = inventory.entries();
    const since = '2026-05-01T10:00:00.000Z';
    expect(a?.health).toEqual({ state: 'Progressing', message: '0 of 1', since, renderRef: RENDER });
    expect(b?.health).toEqual({ state: 'Healthy', since, renderRef: RENDER });
    expect(c?.health).toBeUndefined();
  });
});
