import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { appliedMark } from '../../../../engine/drift/mark.ts';

const OWN = {
  manager: 'convoy',
  operation: 'Apply',
  time: '2026-05-01T10:00:00Z',
  fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {} } },
};

function object(...managedFields: object[]): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields } };
}

const mark = (...entries: object[]): string => appliedMark(object(...entries), 'convoy');

describe('the mark of the applied fields', () => {
  test('is the same for the same fields, whatever others hold', () => {
    const other = { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:data': { 'f:c': {} } } };
    expect(mark(other, OWN)).toBe(mark(OWN));
    expect(mark(OWN)).not.toBe('');
  });

  test.each([
    ['a field that was taken', { ...OWN, fieldsV1: { 'f:data': { 'f:a': {} } } }],
    ['a value that changed under the same manager', { ...OWN, time: '2026-05-01T10:00:07Z' }],
  ])('differs by %s', (_, entry) => {
    expect(mark(entry)).not.toBe(mark(OWN));
  });

  test.each([
    ['nobody', []],
    ['another manager', [{ ...OWN, manager: 'helm' }]],
    ['the manager by Update', [{ ...OWN, operation: 'Update' }]],
    ['the manager of the status', [{ ...OWN, subresource: 'status' }]],
  ])('is empty where the fields are held by %s', (_, entries) => {
    expect(mark(...entries)).toBe('');
  });

  test('is empty without managedFields', () => {
    expect(appliedMark({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, 'convoy')).toBe('');
  });
});
