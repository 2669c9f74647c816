import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import type { ManagedFields } from '../../../../engine/drift/mark.ts';
import { afterTakeOver, LAST_APPLIED, takenOver } from '../../../../engine/drift/takeOver.ts';

const OWN = {
  manager: 'convoy',
  operation: 'Apply',
  apiVersion: 'v1',
  fieldsV1: { 'f:data': { 'f:a': {} } },
} satisfies ManagedFields;
const by = (manager: string, more: ManagedFields = {}): ManagedFields => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsV1: { 'f:data': { 'f:b': {}, 'f:c': {} } },
  ...more,
});

function object(managedFields: ManagedFields[], annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', annotations, managedFields } };
}

const ALL = { ...OWN, fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {}, 'f:c': {} } } };

test.each(['kubectl-client-side-apply', 'kubectl-create', 'kubectl-replace', 'kubectl-edit'])(
  'what %s has written is taken over, and its entry goes',
  (manager) => {
    expect(takenOver(object([by(manager), OWN, by('other')]), 'convoy')).toEqual([ALL, by('other')]);
  },
);

test.each<[string, ManagedFields[]]>([
  ['there is none of them', [OWN, by('kube-controller-manager')]],
  ['it is a subresource', [OWN, by('kubectl-edit', { subresource: 'status' })]],
  ['it was applied on the server, by somebody who goes on to', [OWN, by('kubectl', { operation: 'Apply' })]],
  ['the manager has not applied it', [by('kubectl-edit')]],
  ['nobody knows who wrote what', [OWN, by('before-first-apply')]],
])('nothing is taken over where %s', (_, managedFields) => {
  expect(takenOver(object(managedFields), 'convoy')).toBeUndefined();
});

test('of what was written before note was kept, that of the last kubectl apply is taken over', () => {
  const annotations = { [LAST_APPLIED]: JSON.stringify({ data: { b: 'x' } }) };
  expect(takenOver(object([OWN, by('before-first-apply')], annotations), 'convoy')).toEqual([
    { ...OWN, fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {} } } },
  ]);
});

test('an annotation that is no JSON tells nothing', () => {
  const annotations = { [LAST_APPLIED]: '{' };
  expect(takenOver(object([OWN, by('before-first-apply')], annotations), 'convoy')).toBeUndefined();
});

test('fields of another version of the type go without being taken over', () => {
  expect(takenOver(object([OWN, by('kubectl-edit', { apiVersion: 'v1beta1' })]), 'convoy')).toEqual([OWN]);
});

test('of what it has taken over, what kubectl has sent, it does not send and nobody else holds is gone', () => {
  const data = { a: '1', b: '2', c: '3', byDefault: '4' };
  const annotations = { [LAST_APPLIED]: JSON.stringify({ data: { a: '1', b: '2', c: '3' } }) };
  const kubectl = by('kubectl-client-side-apply', {
    fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {}, 'f:c': {}, 'f:byDefault': {} } },
  });
  const theirs = by('other', { fieldsV1: { 'f:data': { 'f:c': {} } } });
  const live = { ...object([kubectl, OWN, theirs], annotations), data };
  expect(afterTakeOver(live)).toEqual({ ...live, data: { a: '1', c: '3', byDefault: '4' } });
  expect(afterTakeOver({ ...live, ...object([kubectl, OWN, theirs]) })['data']).toEqual(data);
});
