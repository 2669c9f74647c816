import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../../../engine/render/json.ts';
import { holds } from './support.ts';

const status = parseJson(`{
  "observedGeneration": 2, "replicas": 3, "ratio": 0.5, "huge": 9007199254740993, "beyond": 1e300, "text": "Ready, set",
  "memory": "1.5Gi", "at": "2026-03-01T11:45:00Z", "nothing": null, "labels": {"a": "x", "b": "y"},
  "conditions": [{"type": "Ready", "status": "True"}, {"type": "Synced", "status": "False", "reason": "Late"}]
}`);
const parts = { spec: { replicas: 3, limit: '100m', constructor: 'none' }, status };

describe('an expression is true', () => {
  it.each([
    // Numbers: what JSON writes whole is an int, and both sorts compare.
    'status.replicas == spec.replicas',
    'type(status.replicas) == int && type(status.ratio) == double && type(status.beyond) == double',
    'status.replicas > 0.5 && status.ratio < 1 && status.replicas == 3.0',
    'status.replicas + 1 == 4 && status.replicas / 2 == 1 && status.replicas % 2 == 1',
    'status.huge == 9007199254740993 && status.huge != 9007199254740992',
    'metadata.generation == 2 && int(string(status.replicas)) == 3',
    // What is there, and what is not.
    'has(status.replicas) && !has(status.nope) && has(self.status) && !has(self.data)',
    '!has(status.nothing)',
    "'a' in status.labels && !('c' in status.labels) && status.labels['b'] == 'y'",
    "spec.constructor == 'none' && !has(status.constructor) && !has(metadata.toString)",
    // Lists.
    "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
    "status.conditions.all(c, c.type in ['Ready', 'Synced'])",
    'status.conditions.exists_one(c, has(c.reason))',
    "status.conditions.filter(c, c.status == 'False')[0].reason == 'Late'",
    "status.conditions.map(c, c.type) == ['Ready', 'Synced']",
    "status.conditions.map(c, c.status == 'True', c.type) == ['Ready']",
    'status.labels.all(k, status.labels[k].size() == 1) && size(status.labels) == 2',
    "[1, 2] + [3] == [1, 2, 3] && {'a': 1}['a'] == 1",
    "status.conditions.map(self, self.status) == ['True', 'False']",
    "status.conditions.all(status, status.type != '')",
    'self.status.replicas == status.replicas && self.metadata.name == metadata.name',
    // Texts.
    "status.text.contains('set') && status.text.startsWith('Ready') && status.text.endsWith('set')",
    "status.text.matches('^R[a-z]+, (set|go)$') && !status.text.matches('^set')",
    "status.text.split(', ').join('-') == 'Ready-set' && status.text.lowerAscii().indexOf('set') == 7",
    "status.text.substring(0, 5).upperAscii() == 'READY' && ' x '.trim() == 'x' && 'aé'.size() == 2",
    // Quantities.
    "quantity(spec.limit) == quantity('0.1') && quantity('1000m').compareTo(quantity('1')) == 0",
    "quantity(status.memory).isGreaterThan(quantity('1500Mi')) && quantity('1k').isLessThan(quantity('1Ki'))",
    "quantity('900m').add(quantity(spec.limit)).asInteger() == 1 && quantity('3').sub(1).asInteger() == 2",
    "isQuantity('1e3') && !isQuantity('1 Gi') && quantity('-1').sign() == -1 && !quantity('1m').isInteger()",
    "quantity('1.5').asApproximateFloat() == 1.5 && quantity('1').add(2) == quantity('3')",
    // Time.
    "now - timestamp(status.at) == duration('15m') && now > timestamp(status.at)",
    "now == timestamp('2026-03-01T12:00:00Z') && timestamp(0).getFullYear() == 1970",
    "timestamp(1772366400) == now && (now + duration('1h')).getHours() == 13",
    // Logic: what is true, or false, without the part that fails.
    'status.nope == 1 || true',
    '!(status.nope == 1 && false)',
    'has(status.nope) ? status.nope.x : true',
  ])('%s', (expression) => {
    expect(holds(expression, parts)).toMatchObject({ state: 'Healthy', message: 'by rules[0] of test' });
  });
});

describe('an expression fails, and why', () => {
  it.each([
    ['status.nope', 'field not found: nope (column 7)'],
    ['status.replicas ==\n  status.nope', 'field not found: nope (line 2, column 9)'],
    ['data.x', 'the object has no data'],
    ['status.conditions[7].type', 'index 7 out of bounds (column 1)'],
    ["status.replicas + 'x'", "found no matching overload for '_+_' applied to '(int, string)' (column 17)"],
    ['status.replicas', 'gives int, and has to give true or false'],
    ['[status]', 'gives list, and has to give true or false'],
    ['1 / 0 == 1', 'int divide by zero'],
    ["quantity('many') == quantity('1')", '"many" is no quantity'],
    ["quantity('1m').asInteger() == 1", 'the quantity is no whole number that an int holds'],
  ])('%s: %s', (expression, why) => {
    const { state, message } = holds(expression, parts);
    expect(state).toBe('Unknown');
    expect(message).toContain(`rules[0] of test: healthy: ${why}`);
  });
});

describe('an expression is refused, and where', () => {
  it.each([
    ['status.x = 1', 'column 10: cannot be read: found ='],
    ["status.conditions.exists(c, c.type == 'Ready'", 'cannot be read: found'],
    ['stats.ready', 'column 1: unknown variable stats; did you mean status?'],
    [
      'object.status.ready',
      'column 1: unknown variable object; there are self, metadata, spec, status, data, now',
    ],
    ['status.conditions.exists(c, d.type == 1)', 'column 29: unknown variable d'],
    ['[1].map(x, x)[0] == x', 'column 21: unknown variable x'],
    ['sizeof(status) > 1', 'unknown function sizeof'],
    ["status.text.contain('x')", 'unknown function contain; did you mean contains?'],
    ["status.text.contains('x', 'y')", 'contains is not called in this way, with 2 arguments'],
    ['has(status)', 'has() needs a field, such as has(status.conditions)'],
    ["status.text.matches('[')", 'missing closing ]'],
    ['status.text.matches(spec.pattern)', 'the regular expression of matches() has to stand there as a text'],
    [
      "timestamp('2026-03-01T12:00:00Z').getHours('Europe/Berlin') == 1",
      'getHours is not called in this way',
    ],
    ['google.protobuf.Timestamp{seconds: 1} == now', 'there is no type google.protobuf.Timestamp to make'],
    ['status.?ready.orValue(false)', 'cannot be read'],
    ['@result', 'cannot be read'],
  ])('%s: %s', (expression, why) => {
    const { state, message } = holds(expression, parts);
    expect(state).toBe('Unknown');
    expect(message).toContain(why);
  });
});
