import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../../api/healthRules.ts';
import { summarise } from '../../../../engine/health/worst.ts';

const of = (...states: (typeof HEALTH_STATES)[number][]) => summarise(states.map((state) => ({ state })));

it.each([
  ['without any object', of(), 'AllHealthy'],
  ['all are Healthy', of('Healthy', 'Healthy'), 'AllHealthy'],
  ['one is Progressing', of('Healthy', 'Progressing'), 'Progressing'],
  ['one is Unknown', of('Healthy', 'Unknown'), 'AssessmentUnknown'],
  ['one is Progressing, one is Unknown', of('Unknown', 'Progressing'), 'Progressing'],
  ['one is Degraded', of('Progressing', 'Unknown', 'Degraded', 'Healthy'), 'Degraded'],
])('%s: %#', (_, summary, reason) => {
  expect(summary.reason).toBe(reason);
});

it('counts each state', () => {
  expect(of('Healthy', 'Degraded', 'Healthy', 'Unknown', 'Progressing').counts).toEqual({
    healthy: 2,
    progressing: 1,
    degraded: 1,
    unknown: 1,
  });
});

it('does not depend on the order, and is AllHealthy only when all are', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...HEALTH_STATES)), (states) => {
      const summary = of(...states);
      expect(of(...states.toReversed())).toEqual(summary);
      expect(summary.reason === 'AllHealthy').toBe(summary.counts.healthy === states.length);
    }),
  );
});
