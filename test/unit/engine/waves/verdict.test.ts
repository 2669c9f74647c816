import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HEALTH_STATES } from '../../../../api/healthRules.ts';
import { type AppliedWave, judgeGate, type ObservedObject } from '../../../../engine/waves/verdict.ts';
import { observed } from './support.ts';

const LIMIT = { limitMs: 1000 };
const FIRST = { wasOpen: false, now: 500 };

function wave(...objects: ObservedObject[]): AppliedWave {
  return { number: 1, startedAt: 0, objects };
}

describe('whether a wave is applied (waves.md, axis A)', () => {
  test('5: the first wave never waits', () => {
    expect(judgeGate(LIMIT, undefined, FIRST)).toEqual({ gate: 'open' });
  });

  test('3: a wave without a gate does not look at health', () => {
    expect(judgeGate(undefined, wave(observed('a', 'Degraded')), FIRST)).toEqual({ gate: 'open' });
  });

  test.each(['Progressing', 'Degraded', 'Unknown'] as const)('6: it holds while an object is %s', (state) => {
    const web = observed('web', state);
    const verdict = judgeGate({}, wave(observed('a', 'Healthy'), web), FIRST);
    expect(verdict).toEqual({ gate: 'hold', unhealthy: [web], since: 0 });
  });

  test('6: an object that has no state for this render holds it too', () => {
    expect(judgeGate({}, wave(observed('web')), FIRST)).toMatchObject({ gate: 'hold' });
  });

  test('3: it opens when all objects of the wave before are Healthy', () => {
    const verdict = judgeGate(LIMIT, wave(observed('a', 'Healthy'), observed('b', 'Healthy')), FIRST);
    expect(verdict).toEqual({ gate: 'open' });
  });

  test('3: without a timeout it holds for ever', () => {
    const verdict = judgeGate({}, wave(observed('web', 'Degraded')), { wasOpen: false, now: 1e12 });
    expect(verdict).toMatchObject({ gate: 'hold' });
    expect(verdict).not.toHaveProperty('until');
  });

  test.each([
    [999, 'hold'],
    [1000, 'failed'],
    [5000, 'failed'],
  ])('7, 8: the limit runs from the start of the wave before: %d ms later it is %s', (now, gate) => {
    const late = observed('web', 'Progressing', { since: 900 });
    expect(judgeGate(LIMIT, wave(late), { wasOpen: false, now })).toMatchObject({
      gate,
      since: 0,
      until: 1000,
    });
  });

  test.each([
    [10_999, 'hold'],
    [11_000, 'failed'],
  ])('7: once it was open, a loss of health at 10,000 is timed from there: at %d it is %s', (now, gate) => {
    const lost = observed('web', 'Degraded', { since: 10_000 });
    const verdict = judgeGate(LIMIT, wave(observed('a', 'Healthy'), lost), { wasOpen: true, now });
    expect(verdict).toMatchObject({ gate, since: 10_000, until: 11_000 });
  });

  test('7: of several losses the first counts', () => {
    const lost = [observed('b', 'Degraded', { since: 700 }), observed('a', 'Unknown', { since: 300 })];
    expect(judgeGate(LIMIT, wave(...lost), { wasOpen: true, now: 800 })).toMatchObject({ since: 300 });
  });

  test('7: an object that changes from one unhealthy state to another loses its health once', () => {
    const flapping = observed('web', 'Progressing', { since: 900, unhealthySince: 200 });
    expect(judgeGate(LIMIT, wave(flapping), { wasOpen: true, now: 1200 })).toMatchObject({
      gate: 'failed',
      since: 200,
    });
  });

  test('7: a forced sync starts the clock of a gate that was open again', () => {
    const lost = observed('web', 'Degraded', { since: 10_000 });
    const restarted = { ...wave(lost), startedAt: 50_000 };
    expect(judgeGate(LIMIT, restarted, { wasOpen: true, now: 50_500 })).toMatchObject({
      gate: 'hold',
      until: 51_000,
    });
  });

  test('8: a wave that failed opens when the wave before turns healthy', () => {
    expect(judgeGate(LIMIT, wave(observed('web', 'Healthy')), { wasOpen: false, now: 1e9 })).toEqual({
      gate: 'open',
    });
  });

  test('it is open exactly where all are Healthy, fails only after its limit, and time never opens it', () => {
    const state = fc.option(fc.constantFrom(...HEALTH_STATES), { nil: undefined });
    const objects = fc.array(fc.record({ state, since: fc.nat(5000) }), { minLength: 1 });
    fc.assert(
      fc.property(objects, fc.boolean(), fc.nat(5000), fc.nat(5000), (sketches, wasOpen, limitMs, now) => {
        const previous = wave(...sketches.map(({ state: s, since }, i) => observed(`${i}`, s, { since })));
        const verdict = judgeGate({ limitMs }, previous, { wasOpen, now });
        expect(verdict.gate === 'open').toBe(sketches.every((sketch) => sketch.state === 'Healthy'));
        if (verdict.gate === 'open') return;
        expect(verdict.gate === 'failed').toBe(now >= verdict.since + limitMs);
        const later = judgeGate({ limitMs }, previous, { wasOpen, now: now + 1 });
        expect(later.gate).not.toBe('open');
      }),
    );
  });
});
