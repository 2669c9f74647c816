import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEALTH_STATES } from '../../../../api/healthRules.ts';
import { ofRecord, toRecord } from '../../../../engine/waves/recorded.ts';

const RENDER = `sha256:${'0'.repeat(64)}`;

test('health comes back from an inventory as it went in', () => {
  const time = fc.nat(4_000_000_000_000);
  const health = fc.record({ state: fc.constantFrom(...HEALTH_STATES), message: fc.string(), since: time });
  fc.assert(
    fc.property(health, (known) => {
      expect(ofRecord(toRecord(known, RENDER))).toEqual(known);
    }),
  );
});

test('a loss of health is kept where it is older than the state', () => {
  const lost = { state: 'Degraded', message: 'm', since: 9000, unhealthySince: 2000 } as const;
  expect(toRecord(lost, RENDER)).toMatchObject({ unhealthySince: '1970-01-01T00:00:02.000Z' });
  expect(ofRecord(toRecord(lost, RENDER))).toEqual(lost);
  expect(toRecord({ ...lost, unhealthySince: 9000 }, RENDER)).not.toHaveProperty('unhealthySince');
});
