import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SYNC_STRATEGIES } from '../../../../api/annotations.ts';
import { gateOf } from '../../../../engine/waves/gate.ts';

const applied = (timeoutMs = 1) => ({ strategy: 'waitForApplied', timeoutMs }) as const;
const healthy = (timeoutMs = 1) => ({ strategy: 'waitForHealthy', timeoutMs }) as const;
const timed = (timeoutMs: number) => ({ strategy: 'waitForHealthyWithTimeout', timeoutMs }) as const;

describe('the gate of a wave (waves.md, axis A, 3)', () => {
  test.each([
    ['no object', [], undefined],
    ['waitForApplied alone', [applied(), applied()], undefined],
    ['one waitForHealthy among others', [applied(), healthy()], {}],
    ['one waitForHealthyWithTimeout', [applied(), timed(5000)], { limitMs: 5000 }],
    ['both: bounded, since one of them is', [healthy(), timed(5000)], { limitMs: 5000 }],
    ['several limits: the largest', [timed(1000), timed(9000), timed(3000)], { limitMs: 9000 }],
    [
      'a timeout of an object that has no limit does not count',
      [healthy(60_000), timed(1000)],
      { limitMs: 1000 },
    ],
    ['nor does one of waitForApplied', [applied(60_000), timed(1000)], { limitMs: 1000 }],
  ])('%s', (_, objects, gate) => {
    expect(gateOf(objects)).toEqual(gate);
  });

  test('the order of objects does not matter, and no object takes a gate away', () => {
    const object = fc.record({ strategy: fc.constantFrom(...SYNC_STRATEGIES), timeoutMs: fc.nat(1e6) });
    fc.assert(
      fc.property(fc.array(object), object, (objects, other) => {
        const gate = gateOf(objects);
        expect(gateOf([...objects].reverse())).toEqual(gate);
        const more = gateOf([...objects, other]);
        if (gate !== undefined) expect(more).toBeDefined();
        expect(more?.limitMs ?? Infinity).toBeGreaterThanOrEqual(gate?.limitMs ?? 0);
      }),
    );
  });
});
