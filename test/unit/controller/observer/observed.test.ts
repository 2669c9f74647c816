import { performance } from 'node:perf_hooks';
import { describe, expect, test } from 'vitest';
import { Rule } from '../../../../engine/health/rules/rule.ts';
import { observe, type Share } from '../../../../controller/observer/observed.ts';
import { Budget } from '../../../../kube/budget.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const target = { group: 'sea.example', kind: 'Ship' };
const numbers = Array.from({ length: 300 }, (_, index) => index);

const ship = (index: number, kind = 'Ship') => ({
  apiVersion: 'sea.example/v1',
  kind,
  metadata: { name: `ship-${index}`, namespace: 'port', resourceVersion: '1' },
  spec: { numbers },
  status: { observedGeneration: 1 },
});

/** As the observer has it: so many steps at once. */
function shareOf(burst: number): Share {
  const budget = new Budget({ burst, perMinute: 0 }, 1);
  return { isUsedUp: () => !budget.has('port', 0), use: (steps) => budget.spend('port', 0, steps) };
}

function judged(rule: Rule, share: Share, count: number, kind?: string) {
  return Array.from({ length: count }, (_, index) =>
    observe(ship(index, kind), { now: NOW, facts: {}, rules: [rule], share }),
  ).map(({ assessment }) => assessment);
}

describe('the share of a namespace in what rules may cost', () => {
  const costly = new Rule(
    { target, healthy: 'spec.numbers.all(a, spec.numbers.all(b, a + b >= 0))' },
    'costly',
  );
  const usual = new Rule({ target, healthy: 'spec.numbers.exists(a, a == 20)' }, 'usual');

  test('bounds the time that a thousand objects with a costly rule take', () => {
    const start = performance.now();
    const states = judged(costly, shareOf(200_000), 1000);
    const took = performance.now() - start;
    const alone = performance.now();
    judged(costly, shareOf(200_000), 11);
    expect(took).toBeLessThan(200 + 5 * (performance.now() - alone));
    expect(states.every(({ state }) => state === 'Unknown')).toBe(true);
    expect(states.filter(({ message }) => message.includes('costs too much'))).toHaveLength(10);
    expect(states.at(-1)).toEqual({
      state: 'Unknown',
      message: 'the health rules of its namespace have cost too much lately; it is judged in a minute',
      recheckAfterMs: 60_000,
    });
  });

  test('counts no usual rule', () => {
    const states = judged(usual, shareOf(1), 1000);
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['Healthy']));
  });

  test('does not concern objects without a rule', () => {
    const share = shareOf(1);
    judged(costly, share, 1);
    expect(share.isUsedUp()).toBe(true);
    expect(judged(costly, share, 1, 'Boat')).toMatchObject([{ state: 'Healthy' }]);
    expect(judged(usual, share, 1)).toMatchObject([{ state: 'Unknown' }]);
  });

  test('pays for reading the rules that Releases bring, not for those of rule sets', () => {
    const healthy = `spec.numbers[0] == 0 || '${'x'.repeat(2000)}' == ''`;
    const used = (rule: Rule) => {
      const share = shareOf(20_000);
      judged(rule, share, 1);
      return share.isUsedUp();
    };
    expect(used(new Rule({ target, healthy }, 'local', true))).toBe(true);
    expect(used(new Rule({ target, healthy }, 'global'))).toBe(false);
  });
});
