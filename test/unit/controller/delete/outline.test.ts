import { expect, test } from 'vitest';
import { outlineOf } from '../../../../controller/delete/outline.ts';

const metadata = {
  name: 'web',
  namespace: 'shop',
  uid: 'u1',
  resourceVersion: '7',
  deletionTimestamp: '2026-05-01T10:00:00Z',
  finalizers: ['example.com/hold'],
};

test('of an object on its way out stays which it is and what holds it', () => {
  const conditions = [{ type: 'NamespaceContentRemaining', status: 'True' }];
  const object = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata, labels: { a: 'b' }, managedFields: [{ manager: 'convoy' }] },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Terminating', conditions },
  };
  expect(outlineOf(object)).toEqual({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata,
    status: { conditions },
  });
});

test('nothing is made up', () => {
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { key: 'dmFsdWU=' } };
  expect(outlineOf(object)).toEqual({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
});

test('a definition is kept as it is', () => {
  const object = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata,
    spec: { group: 'example.com', names: { kind: 'Boat', plural: 'boats' } },
  };
  expect(outlineOf(object)).toBe(object);
});
