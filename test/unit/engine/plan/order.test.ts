import { expect, test } from 'vitest';
import { orderProblems } from '../../../../engine/plan/order.ts';
import { apiService, definition, sketch } from './support.ts';

const widget = (annotations: Record<string, string>) =>
  sketch({ group: 'x.io', kind: 'Widget', namespace: 'shop', annotations });
const shop = (annotations: Record<string, string>) =>
  sketch({ kind: 'Namespace', name: 'shop', annotations });

test('a CRD in a later wave than its instance is told, with both objects and both waves', () => {
  expect(orderProblems([definition('x.io', 'Widget', { 'sync-wave': '5' }), widget({})])).toEqual([
    'x.io/Widget a in shop (wave 0) would be applied before its type apiextensions.k8s.io/CustomResourceDefinition widgets.x.io (wave 5): ' +
      'give it sync-wave 5 or higher, or apiextensions.k8s.io/CustomResourceDefinition widgets.x.io 0 or lower',
  ]);
});

test('an instance that is deleted after its CRD is told', () => {
  expect(orderProblems([definition('x.io', 'Widget'), widget({ 'delete-order': '1' })])).toEqual([
    'x.io/Widget a in shop (delete-order 1) would be deleted after its type apiextensions.k8s.io/CustomResourceDefinition widgets.x.io (delete-order 0): ' +
      'give it delete-order 0 or lower, or apiextensions.k8s.io/CustomResourceDefinition widgets.x.io 1 or higher',
  ]);
});

test('the same holds for an APIService', () => {
  const metric = sketch({
    group: 'metrics.io',
    kind: 'PodMetric',
    annotations: { 'sync-wave': '-1', 'delete-order': '2' },
  });
  const problems = orderProblems([apiService('metrics.io', 'v1'), metric]);
  expect(problems).toHaveLength(2);
  expect(problems[0]).toMatch(
    /PodMetric a \(wave -1\) .* apiregistration\.k8s\.io\/APIService v1\.metrics\.io \(wave 0\)/,
  );
});

test('the same holds for a Namespace of the render', () => {
  const config = sketch({
    kind: 'ConfigMap',
    namespace: 'shop',
    annotations: { 'apply-order': '1', 'delete-order': '3' },
  });
  expect(orderProblems([shop({ 'sync-wave': '2', 'delete-order': '1' }), config])).toEqual([
    expect.stringMatching(/^ConfigMap a in shop \(wave 1\) .* its namespace Namespace shop \(wave 2\)/),
    expect.stringMatching(/^ConfigMap a in shop \(delete-order 3\) .* Namespace shop \(delete-order 1\)/),
  ]);
});

test('every breach is told', () => {
  const later = { 'sync-wave': '1' };
  expect(
    orderProblems([
      shop(later),
      definition('x.io', 'Widget', later),
      widget({}),
      sketch({ kind: 'Secret', namespace: 'shop' }),
    ]),
  ).toHaveLength(3);
});

test('an object purged before its wave is told', () => {
  expect(
    orderProblems([sketch({ kind: 'ConfigMap', annotations: { 'sync-wave': '3', 'purge-order': '2' } })]),
  ).toEqual([
    'ConfigMap a (wave 3) would be purged before it is applied (purge-order 2): give it purge-order 3 or higher',
  ]);
});

test.each([
  ['equal orders', [shop({}), widget({}), definition('x.io', 'Widget')]],
  [
    'dependents later, and deleted sooner',
    [
      shop({ 'delete-order': '9' }),
      widget({ 'sync-wave': '4' }),
      definition('x.io', 'Widget', { 'sync-wave': '-4' }),
    ],
  ],
  [
    'a type and a namespace that the render does not bring',
    [widget({ 'sync-wave': '-9', 'delete-order': '9' }), definition('y.io', 'Widget', { 'sync-wave': '9' })],
  ],
  [
    'a purge at the end of its own wave',
    [sketch({ kind: 'ConfigMap', annotations: { 'sync-wave': '2', 'purge-order': '2' } })],
  ],
])('%s are in order', (_, render) => {
  expect(orderProblems(render)).toEqual([]);
});
