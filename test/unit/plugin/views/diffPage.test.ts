import { describe, expect, test } from 'vitest';
import type { ObjectKey } from '../../../../api/object.ts';
import { plain } from '../../../../plugin/cli/paint.ts';
import { type DiffReport, isInDoubt, type ObjectDiff } from '../../../../plugin/diff/report.ts';
import { diffData } from '../../../../plugin/views/diffData.ts';
import { diffPage } from '../../../../plugin/views/diffPage.ts';

const KEY: ObjectKey = { group: '', kind: 'ConfigMap', namespace: 'apps', name: 'a' };

function object(changes: Partial<ObjectDiff>): ObjectDiff {
  return {
    key: KEY,
    wave: 0,
    action: 'unchanged',
    remarks: [],
    before: undefined,
    after: undefined,
    ...changes,
  };
}

function report(objects: ObjectDiff[], changes: Partial<DiffReport> = {}): DiffReport {
  const release = { namespace: 'apps', name: 'shop' };
  return { release, objects, notes: [], gaps: [], missing: [], ...changes };
}

const page = (of: DiffReport, width = Infinity): string[] =>
  diffPage(of, { now: new Date(0), width, paint: plain });

describe('the last line tells how many there are', () => {
  const same = object({});
  test.each<[string, ObjectDiff[], string]>([
    ['nothing', [same, same], 'no difference: a sync would change none of 2 objects'],
    ['no object at all', [], 'no difference: a sync would change none of 0 objects'],
    [
      'one of each',
      [object({ action: 'create' }), object({ action: 'change' }), object({ action: 'recreate' }), same],
      '1 would be created, 1 would change, 1 would be deleted and created again; 1 object as a sync would leave it',
    ],
    [
      'what goes',
      [object({ action: 'delete' }), object({ action: 'leave' }), same, same],
      '1 would be deleted, 1 would be let go; 2 objects as a sync would leave them',
    ],
    ['a refusal', [object({ action: 'refused' })], 'A sync applies nothing while an object is refused.'],
    ['what may not be asked', [object({ action: 'unknown' })], '1 cannot be told'],
  ])('%s', (_, objects, line) => {
    expect(page(report(objects)).at(-1)).toBe(line);
  });

  test('and nothing of the sort where the inventory is not known', () => {
    expect(page(report([], { gaps: ['it cannot be read'] })).join('\n')).not.toContain('no difference');
  });
});

test('an object stands under its name, with what is to be known and what differs', () => {
  const changed = object({
    action: 'change',
    wave: 3,
    remarks: ['adopted'],
    before: { a: 1 },
    after: { a: 2 },
  });
  expect(page(report([changed]))).toEqual([
    'ConfigMap a in apps (wave 3): would change',
    '  adopted',
    '--- live',
    '+++ after a sync',
    '@@ -1,1 +1,1 @@',
    '-a: 1',
    '+a: 2',
    '',
    '1 would change',
  ]);
});

test('what stays as it is on purpose is told, and all else of it is not', () => {
  const lines = page(report([object({ remarks: ['left (Once)'] }), object({})]));
  expect(lines.slice(0, 2)).toEqual(['ConfigMap a in apps (wave 0): stays as it is', '  left (Once)']);
  expect(lines.join('\n').match(/ConfigMap/g)).toHaveLength(1);
});

test('nothing in it can move the cursor, and no heading is wider than the terminal', () => {
  const hostile = 'x\u001b[2J\u202e';
  const objects = [
    object({
      action: 'refused',
      key: { ...KEY, name: hostile },
      remarks: [`${hostile} ${'word '.repeat(40)}`],
    }),
    object({ action: 'change', before: { [hostile]: hostile }, after: {} }),
  ];
  const lines = page(report(objects, { notes: [hostile] }), 80);
  expect(lines.join('')).not.toMatch(/[\u001b\u202e]/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('programs get each field, and not what stays as it is', () => {
  const data = diffData(
    report([object({}), object({ action: 'change', before: { a: 1 }, after: { a: 2 } })]),
  );
  expect(data).toEqual({
    release: { namespace: 'apps', name: 'shop' },
    differs: true,
    items: [{ object: KEY, wave: 0, action: 'change', changes: [{ path: '/a', before: 1, after: 2 }] }],
    unchanged: 1,
    notes: [],
  });
});

test.each<[ObjectDiff['action'], boolean]>([
  ['change', false],
  ['leave', false],
  ['refused', true],
  ['unknown', true],
])('of %s, in doubt is %s', (action, doubt) => {
  expect(isInDoubt(report([object({ action })]))).toBe(doubt);
});
