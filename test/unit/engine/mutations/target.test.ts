import { expect, test } from 'vitest';
import { selectorProblems } from '../../../../engine/mutations/selector.ts';
import { type Target, targets } from '../../../../engine/mutations/target.ts';
import { deployment } from './support.ts';

const byLabel = (key: string, operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist', values?: string[]) => ({
  labelSelector: { matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] },
});

const CASES: readonly [matches: boolean, target: Target | undefined][] = [
  [true, undefined],
  [true, {}],
  [true, { group: 'apps' }],
  [false, { group: '' }],
  [true, { version: 'v1' }],
  [false, { version: 'v2' }],
  [true, { kind: 'Deployment' }],
  [false, { kind: 'deployment' }],
  [true, { name: 'web' }],
  [true, { name: 'w*' }],
  [false, { name: 'we' }],
  [true, { namespace: 'shop' }],
  [false, { namespace: 'sh*' }],
  [true, { group: 'apps', version: 'v1', kind: 'Deployment', name: '???', namespace: 'shop' }],
  [false, { group: 'apps', version: 'v1', kind: 'Deployment', name: '???', namespace: 'other' }],
  [true, { labelSelector: {} }],
  [true, { labelSelector: { matchLabels: { app: 'web', tier: 'front' } } }],
  [false, { labelSelector: { matchLabels: { app: 'web', tier: 'back' } } }],
  [false, { labelSelector: { matchLabels: { other: 'web' } } }],
  [true, byLabel('tier', 'In', ['back', 'front'])],
  [false, byLabel('tier', 'In', ['back'])],
  [false, byLabel('other', 'In', ['back'])],
  [true, byLabel('tier', 'NotIn', ['back'])],
  [false, byLabel('tier', 'NotIn', ['back', 'front'])],
  [true, byLabel('other', 'NotIn', ['back'])],
  [true, byLabel('tier', 'Exists')],
  [false, byLabel('other', 'Exists')],
  [false, byLabel('tier', 'DoesNotExist')],
  [true, byLabel('other', 'DoesNotExist', [])],
  [false, byLabel('constructor', 'Exists')],
  [true, { annotationSelector: { matchLabels: { 'convoy.kumodo.io/sync-wave': '3' } } }],
  [false, { annotationSelector: { matchLabels: { app: 'web' } } }],
  [
    false,
    {
      labelSelector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['back'] }],
      },
    },
  ],
];

test.for(CASES)('%s: %j', ([matches, target]) => {
  expect(targets(target, deployment())).toBe(matches);
});

test('"" is the core group', () => {
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(targets({ group: '', version: 'v1' }, config)).toBe(true);
  expect(targets({ namespace: '' }, config)).toBe(true);
  expect(targets({ labelSelector: { matchLabels: { a: 'b' } } }, config)).toBe(false);
});

test.for([
  ['In', undefined, 'matchExpressions[0]: In needs at least one value'],
  ['NotIn', [], 'matchExpressions[0]: NotIn needs at least one value'],
  ['Exists', ['a'], 'matchExpressions[0]: Exists takes no values'],
  ['DoesNotExist', ['a'], 'matchExpressions[0]: DoesNotExist takes no values'],
] as const)('%s with values %j selects nothing, and is a problem', ([operator, values, problem]) => {
  const target = byLabel('tier', operator, values === undefined ? undefined : [...values]);
  expect(targets(target, deployment())).toBe(false);
  expect(targets(target, deployment({ labels: {} }))).toBe(false);
  expect(selectorProblems(target.labelSelector)).toEqual([problem]);
});
