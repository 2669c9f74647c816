import { expect, test } from 'vitest';
import { PREFIX } from '../../../../api/annotations.ts';
import {
  type InvalidAnnotation,
  type ObjectAnnotations,
  readAnnotations,
} from '../../../../engine/plan/annotations.ts';
import { defaultStrategyOf } from '../../../../engine/plan/strategy.ts';
import { sketch } from './support.ts';

const read = (annotations: Record<string, string>) => {
  const invalid: InvalidAnnotation[] = [];
  const values = readAnnotations(sketch({ kind: 'ConfigMap', annotations }), invalid);
  return { values, invalid };
};

const DEFAULTS: ObjectAnnotations = {
  wave: 0,
  strategy: undefined,
  timeoutMs: 30_000,
  applyOrder: undefined,
  deleteOrder: 0,
  purgeOrder: undefined,
  hook: undefined,
  pruneDisabled: false,
  updatePolicy: 'Apply',
  adoptionPolicy: 'IfUnowned',
  healthIgnored: false,
};

test('an object without annotations has the defaults', () => {
  expect(read({})).toEqual({ values: DEFAULTS, invalid: [] });
});

const VALID: readonly (readonly [annotation: string, value: string, read: Partial<ObjectAnnotations>])[] = [
  ['sync-wave', '5', { wave: 5 }],
  ['sync-wave', '-32768', { wave: -32768 }],
  ['sync-wave', '32767', { wave: 32767 }],
  ['sync-wave', '-0', { wave: 0 }],
  ['sync-strategy', 'waitForHealthyWithTimeout', { strategy: 'waitForHealthyWithTimeout' }],
  ['sync-timeout', '1m30s', { timeoutMs: 90_000 }],
  ['apply-order', '3', { wave: 3, applyOrder: 3 }],
  ['delete-order', '-2', { deleteOrder: -2 }],
  ['purge-order', '7', { purgeOrder: 7 }],
  ['hook', 'preSync', { hook: 'preSync' }],
  ['prune', 'disabled', { pruneDisabled: true }],
  ['update-policy', 'Recreate', { updatePolicy: 'Recreate' }],
  ['adoption-policy', 'Never', { adoptionPolicy: 'Never' }],
  ['health', 'ignore', { healthIgnored: true }],
];

test.each(VALID)('%s: %s is read', (annotation, value, expected) => {
  expect(read({ [annotation]: value })).toEqual({ values: { ...DEFAULTS, ...expected }, invalid: [] });
});

test.each([
  ['sync-wave', '32768'],
  ['sync-wave', '-32769'],
  ['sync-wave', '1.5'],
  ['sync-wave', ' 1'],
  ['sync-wave', '1e3'],
  ['sync-wave', ''],
  ['sync-wave', '99999999999999999999'],
  ['sync-strategy', 'waitforhealthy'],
  ['sync-timeout', '0s'],
  ['sync-timeout', '30'],
  ['sync-timeout', '-1s'],
  ['delete-order', 'first'],
  ['purge-order', 'x'],
  ['hook', 'presync'],
  ['prune', 'true'],
  ['update-policy', 'Replace'],
  ['adoption-policy', 'yes'],
  ['health', 'ignored'],
])('%s: %j is no error: the default holds, and it is told', (annotation, value) => {
  const { values, invalid } = read({ [annotation]: value });
  expect(values).toEqual(DEFAULTS);
  expect(invalid).toMatchObject([
    { annotation: `${PREFIX}${annotation}`, value, key: { kind: 'ConfigMap' } },
  ]);
});

test('sync-wave wins over apply-order', () => {
  expect(read({ 'sync-wave': '1', 'apply-order': '2' }).values).toMatchObject({ wave: 1, applyOrder: 2 });
});

test('apply-order counts where sync-wave is not valid', () => {
  expect(read({ 'sync-wave': 'x', 'apply-order': '2' }).values.wave).toBe(2);
});

test('the default strategy is what the Release says, else it comes from apply-order', () => {
  const plain = read({}).values;
  const ordered = read({ 'apply-order': '1' }).values;
  expect(defaultStrategyOf([plain], undefined)).toBe('waitForApplied');
  expect(defaultStrategyOf([plain, ordered], undefined)).toBe('waitForHealthy');
  expect(defaultStrategyOf([ordered], 'waitForApplied')).toBe('waitForApplied');
});
