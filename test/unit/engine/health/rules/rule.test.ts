import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEALTH_STATES } from '../../../../../api/healthRules.ts';
import { MAX_HEALTH_MESSAGE } from '../../../../../api/limits.ts';
import { assess } from '../../../../../engine/health/assess.ts';
import { Rule } from '../../../../../engine/health/rules/rule.ts';
import { judged, NOW, ruleOf, widget } from './support.ts';

const ready = (status: string, rest: object = {}) => ({ conditions: [{ type: 'Ready', status, ...rest }] });
const RULE = {
  degraded: "status.conditions.exists(c, c.type == 'Ready' && c.status == 'False' && c.reason == 'Failed')",
  progressing: "status.conditions.exists(c, c.type == 'Issuing' && c.status == 'True')",
  healthy: "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
  message: "status.conditions.filter(c, c.type == 'Ready')[0].message",
};

describe('a rule', () => {
  it.each([
    ['healthy', ready('True', { message: 'fine' }), 'Healthy', 'fine'],
    ['degraded', ready('False', { reason: 'Failed', message: 'no' }), 'Degraded', 'no'],
    [
      'an error of its message',
      ready('True'),
      'Healthy',
      'by rules[0] of test (its message: field not found: message',
    ],
    ['an error', ready('False'), 'Unknown', 'rules[0] of test: degraded: field not found: reason (column'],
    ['no conditions', {}, 'Unknown', 'rules[0] of test: degraded: field not found: conditions (column 7)'],
    ['no status', undefined, 'Progressing', 'no status yet'],
    ['a status of null', null, 'Progressing', 'no status yet'],
    ['a status that is no map', 'Ready', 'Unknown', 'status should be a map'],
  ])('says of %s', (_, status, state, message) => {
    const answer = judged(RULE, { status });
    expect(answer.state).toBe(state);
    expect(answer.message).toContain(message);
  });

  it.each([
    [{ degraded: 'true', progressing: 'true', healthy: 'true' }, 'Degraded'],
    [{ progressing: 'true', healthy: 'true' }, 'Progressing'],
    [{ degraded: 'false', healthy: 'true' }, 'Healthy'],
    [{ degraded: 'false', progressing: 'false', healthy: 'false' }, 'Unknown'],
    [{ degraded: 'status.x', healthy: 'true' }, 'Unknown'],
    [{ healthy: 'true', message: 'status.x' }, 'Healthy'],
    [{ degraded: 'status.', healthy: 'true' }, 'Unknown'],
  ])('is asked in the order degraded, progressing, healthy: %j is %s', (expressions, state) => {
    expect(judged(expressions, { status: { observedGeneration: 2 } }).state).toBe(state);
  });

  it.each([
    ["'x' + string(status.count)", 'x7'],
    ['status.count', '7'],
    ['status.count > 1', 'true'],
    ["''", 'by rules[0] of test'],
    ['status', 'by rules[0] of test (its message gives map, no text)'],
  ])('has the message %s: %s', (message, text) => {
    expect(
      judged({ healthy: 'true', message }, { status: { count: 7, observedGeneration: 2 } }).message,
    ).toBe(text);
  });

  it('asks for the status only where an expression does', () => {
    expect(judged({ healthy: '!has(self.status)' }).state).toBe('Healthy');
    expect(
      judged({ healthy: "spec.type == 'static' || has(status.x)" }, { spec: { type: 'static' } }).state,
    ).toBe('Healthy');
    expect(judged({ healthy: '!has(status.x)' })).toMatchObject({
      state: 'Progressing',
      message: 'no status yet',
    });
    expect(judged({ healthy: 'self.status.x == 1' }).state).toBe('Progressing');
    expect(judged({ healthy: "data.x == 'y'" }).state).toBe('Unknown');
  });

  it('is Progressing while the object is being deleted', () => {
    const metadata = { deletionTimestamp: '2026-03-01T11:00:00Z', finalizers: ['example.com/x'] };
    expect(judged({ healthy: 'true' }, { metadata })).toEqual({
      state: 'Progressing',
      message: 'terminating, held by the finalizers example.com/x',
    });
  });

  it('counts for nothing where health is ignored', () => {
    const metadata = { annotations: { 'convoy.kumodo.io/health': 'ignore' } };
    expect(judged({ degraded: 'true' }, { metadata }).state).toBe('Healthy');
  });

  it('tells all that is wrong with its expressions', () => {
    expect(ruleOf({ degraded: 'statu', healthy: 'status.', message: '1' }).problems).toEqual([
      'degraded: column 1: unknown variable statu; did you mean status?',
      'healthy: column 7: cannot be read: found .',
    ]);
  });
});

describe('the first rule that is for an object decides', () => {
  const rule = (target: object, name: string) =>
    new Rule({ target: { group: 'example.com', kind: 'Widget', ...target }, degraded: 'true' }, name);
  const object = widget();

  it.each([
    ['the kind', {}, true],
    ['another kind', { kind: 'Gadget' }, false],
    ['another group', { group: '' }, false],
    ['the version', { version: 'v1' }, true],
    ['another version', { version: 'v1beta1' }, false],
    ['the name', { name: 'web' }, true],
    ['another name', { name: 'api' }, false],
    ['the namespace', { namespace: 'shop' }, true],
    ['another namespace', { namespace: 'bank', name: 'web' }, false],
  ])('a rule for %s', (_, target, isFor) => {
    expect(rule(target, 'a').isFor(object)).toBe(isFor);
  });

  it('and those behind it are not asked', () => {
    const rules = [rule({ name: 'api' }, 'a'), rule({ name: 'web' }, 'b'), rule({}, 'c')];
    expect(assess(object, NOW, {}, rules)).toMatchObject({ state: 'Degraded', message: 'by b' });
  });

  it('and without one the kind does', () => {
    expect(assess(object, NOW, {}, [rule({ name: 'api' }, 'a')])).toEqual(assess(object, NOW));
  });
});

describe('a generation that was not observed', () => {
  const generations = fc.record({ observed: fc.nat(1000), ahead: fc.integer({ min: 1, max: 1000 }) });
  const rules = [ruleOf({ healthy: 'true' })];

  it('is never Healthy, nor Degraded, whatever the rule says', () => {
    const states = fc.constantFrom('healthy', 'degraded', 'progressing');
    fc.assert(
      fc.property(generations, states, fc.boolean(), ({ observed, ahead }, says, asText) => {
        const metadata = { generation: observed + ahead };
        const status = { observedGeneration: asText ? String(observed) : observed };
        expect(judged({ [says]: 'true' }, { metadata, status }).state).toBe('Progressing');
      }),
    );
  });

  it('is not Healthy by conditions that all speak of an earlier one', () => {
    fc.assert(
      fc.property(generations, ({ observed, ahead }) => {
        const metadata = { generation: observed + ahead };
        expect(
          judged(RULE, { metadata, status: ready('True', { observedGeneration: observed }) }).state,
        ).toBe('Progressing');
      }),
    );
  });

  it('is one where a rule is for a kind whose controller always tells it', () => {
    const deployment = { ...widget({ status: { replicas: 1 } }), apiVersion: 'apps/v1', kind: 'Deployment' };
    const rule = new Rule({ target: { group: 'apps', kind: 'Deployment' }, healthy: 'true' }, 'x');
    expect(assess(deployment, NOW, {}, [rule])).toMatchObject({ state: 'Progressing' });
  });

  it.each([
    ['is what it says', { observedGeneration: 2 }, {}],
    [
      'is what one of its conditions says',
      { conditions: [{ observedGeneration: 1 }, { observedGeneration: 2 }] },
      {},
    ],
    ['may be any where its status names none', { phase: 'Ready' }, { unconfirmed: true }],
    ['may be any where its status says -1, which is none', { observedGeneration: -1 }, { unconfirmed: true }],
    [
      'may be any whose conditions follow no convention',
      { conditions: { ready: true } },
      { unconfirmed: true },
    ],
    ['is nobody’s business without a status', undefined, {}],
  ])('an observed one %s', (_, status, sure) => {
    const { state, unconfirmed } = assess(widget({ status }), NOW, {}, rules);
    expect({ state, ...(unconfirmed && { unconfirmed }) }).toEqual({ state: 'Healthy', ...sure });
  });

  it('keeps the message of a rule that says Progressing', () => {
    const answer = judged(
      { progressing: 'true', message: "'rolling'" },
      { status: { observedGeneration: 1 } },
    );
    expect(answer).toMatchObject({ state: 'Progressing', message: 'rolling' });
  });
});

describe('time', () => {
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  const stuck = {
    degraded: "now - timestamp(status.since) > duration('10m')",
    progressing: 'true',
  };
  const status = { since: NOW.toISOString(), observedGeneration: 2 };

  it('alone changes an answer, and it is known when', () => {
    expect(judged(stuck, { status })).toMatchObject({ state: 'Progressing', recheckAfterMs: 601_000 });
    expect(judged(stuck, { status }, at(9))).toMatchObject({ state: 'Progressing', recheckAfterMs: 61_000 });
    expect(judged(stuck, { status }, at(11)).state).toBe('Degraded');
  });

  it('is asked for again in a day where nothing changes before', () => {
    expect(judged(stuck, { status }, at(11)).recheckAfterMs).toBe(24 * 3_600_000);
  });

  it('changes nothing where no expression reads it', () => {
    expect(judged(RULE, { status: ready('True', { observedGeneration: 2 }) })).not.toHaveProperty(
      'recheckAfterMs',
    );
  });

  it('is found to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 23 * 3600 }), (seconds) => {
        const since = new Date(NOW.getTime() - 3_600_000).toISOString();
        const rule = { healthy: `now >= timestamp(status.since) + duration('${3600 + seconds}s')` };
        const { recheckAfterMs } = judged(rule, { status: { since, observedGeneration: 2 } });
        expect(recheckAfterMs).toBe(seconds * 1000);
      }),
      { numRuns: 50 },
    );
  });
});

describe('any object', () => {
  it('has the same answer twice, is not changed by it, and never makes a rule throw', () => {
    const value = fc.jsonValue();
    const status = fc.oneof(value, fc.record({ conditions: value, phase: value }, { requiredKeys: [] }));
    fc.assert(
      fc.property(status, value, (anyStatus, spec) => {
        const object = widget({ status: anyStatus, spec });
        const before = JSON.stringify(object);
        const answer = assess(object, NOW, {}, [ruleOf(RULE)]);
        expect(HEALTH_STATES).toContain(answer.state);
        expect(answer.message).not.toBe('');
        expect(Buffer.byteLength(answer.message)).toBeLessThanOrEqual(MAX_HEALTH_MESSAGE);
        expect(assess(JSON.parse(before) as typeof object, NOW, {}, [ruleOf(RULE)])).toEqual(answer);
        expect(JSON.stringify(object)).toBe(before);
      }),
      { numRuns: 300 },
    );
  });
});
