import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { assess } from '../../../../engine/health/assess.ts';
import { declaresConditions } from '../../../../engine/health/declared.ts';
import { condition, decides, NOW, object, type Parts } from './support.ts';

const of = (...conditions: unknown[]): Parts => ({ status: { conditions } });

describe('any other kind', () => {
  decides('example.com/v1', 'Widget', [
    ['Ready is True', of(condition('Ready', 'True', { message: 'all good' })), 'Healthy', 'all good'],
    ['Ready is False', of(condition('Ready', 'False', { reason: 'NoQuorum' })), 'Progressing', 'NoQuorum'],
    ['Ready is Unknown', of(condition('Ready', 'Unknown')), 'Progressing', 'condition Ready is Unknown'],
    [
      'Reconciling is True, Ready too',
      of(condition('Ready', 'True'), condition('Reconciling', 'True', { reason: 'NewGeneration' })),
      'Progressing',
      'NewGeneration',
    ],
    [
      'Stalled is True, Ready too',
      of(condition('Ready', 'True'), condition('Stalled', 'True', { message: 'bad spec' })),
      'Degraded',
      'bad spec',
    ],
    [
      'Stalled and Reconciling are both True',
      of(condition('Reconciling', 'True'), condition('Stalled', 'True', { reason: 'BadSpec' })),
      'Degraded',
      'BadSpec',
    ],
    [
      'Stalled and Reconciling are False',
      of(condition('Reconciling', 'False'), condition('Stalled', 'False'), condition('Ready', 'True')),
      'Healthy',
      'Ready is True',
    ],
    [
      'Stalled speaks of an earlier generation',
      of(condition('Stalled', 'True', { observedGeneration: 1 })),
      'Progressing',
      'Stalled still speaks of an earlier generation',
    ],
    [
      'Ready speaks of an earlier generation',
      of(condition('Ready', 'True', { observedGeneration: 1 })),
      'Progressing',
      'Ready still speaks of an earlier generation',
    ],
    [
      'generation 5, observedGeneration 4, Ready is True',
      {
        metadata: { generation: 5 },
        status: { observedGeneration: 4, conditions: [condition('Ready', 'True')] },
      },
      'Progressing',
      'generation 5, it saw 4',
    ],
    [
      'a generation written as text',
      { status: { observedGeneration: '2', conditions: [condition('Ready', 'True')] } },
      'Healthy',
      'Ready is True',
    ],
    [
      'an earlier generation written as text',
      { status: { observedGeneration: '1' } },
      'Progressing',
      'it saw 1',
    ],
    [
      'observedGeneration is -1 by default',
      { status: { observedGeneration: -1 } },
      'Progressing',
      'it saw -1',
    ],
    ['no status', {}, 'Healthy', 'there'],
    ['a status without conditions', { status: { phase: 'Odd' } }, 'Healthy', 'it has no condition Ready'],
    [
      'deleted, and Ready is True',
      { metadata: { deletionTimestamp: '2026-03-01T11:00:00Z' }, ...of(condition('Ready', 'True')) },
      'Progressing',
      'terminating',
    ],
  ]);

  it('is Progressing where it is not there', () => {
    expect(assess(undefined, NOW)).toEqual({ state: 'Progressing', message: 'it is not there' });
  });
});

describe('a kind declared to have conditions', () => {
  const facts = { declaresConditions: true };
  it.each([
    ['no status yet', {}],
    ['an empty status', { status: {} }],
    ['no conditions yet', { status: { conditions: [] } }],
    ['another field written first', { status: { phase: 'Starting' } }],
  ])('%s: Progressing', (_, parts: Parts) => {
    expect(assess(object('example.com/v1', 'Widget', parts), NOW, facts)).toMatchObject({
      state: 'Progressing',
      message: 'its controller has not set any condition yet',
    });
  });

  it('is judged as any other once it has conditions', () => {
    const ready = object('example.com/v1', 'Widget', of(condition('Ready', 'True')));
    expect(assess(ready, NOW, facts)).toMatchObject({ state: 'Healthy' });
  });

  const definition = (...versions: unknown[]) =>
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { spec: { versions } });
  const version = (name: string, status: unknown) => ({
    name,
    schema: { openAPIV3Schema: { properties: { status } } },
  });
  const conditions = { properties: { conditions: { type: 'array' } } };

  it.each<[string, KubeObject, boolean]>([
    ['it declares them', definition(version('v1', conditions)), true],
    ['another version declares them', definition(version('v2', conditions)), false],
    ['its status has none', definition(version('v1', { properties: { phase: {} } })), false],
    ['it has no schema', definition({ name: 'v1' }), false],
    ['it cannot be read', definition(version('v1', 'conditions')), false],
  ])('by its definition: %s', (_, crd, expected) => {
    expect(declaresConditions(crd, 'v1')).toBe(expected);
  });
});

describe('a Healthy that may speak of the object before the last apply', () => {
  const unconfirmed = (apiVersion: string, kind: string, parts: Parts) =>
    assess(object(apiVersion, kind, parts), NOW).unconfirmed;

  it.each<[string, string, string, Parts]>([
    ['a claim', 'v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }],
    ['a Job', 'batch/v1', 'Job', of(condition('Complete', 'True'))],
    ['Ready without a generation', 'example.com/v1', 'Widget', of(condition('Ready', 'True'))],
  ])('has to be confirmed: %s', (_, apiVersion, kind, parts) => {
    expect(unconfirmed(apiVersion, kind, parts)).toBe(true);
  });

  it.each<[string, string, string, Parts]>([
    ['a ConfigMap', 'v1', 'ConfigMap', {}],
    ['a Service inside of the cluster', 'v1', 'Service', { status: { loadBalancer: {} } }],
    ['a Namespace', 'v1', 'Namespace', { status: { phase: 'Active' } }],
    ['a suspended Job', 'batch/v1', 'Job', { spec: { suspend: true }, status: { active: 0 } }],
    [
      'a status with its generation',
      'policy/v1',
      'PodDisruptionBudget',
      { status: { observedGeneration: 2 } },
    ],
    [
      'a condition with its generation',
      'example.com/v1',
      'Widget',
      of(condition('Ready', 'True', { observedGeneration: 2 })),
    ],
  ])('is certain: %s', (_, apiVersion, kind, parts) => {
    expect(assess(object(apiVersion, kind, parts), NOW).state).toBe('Healthy');
    expect(unconfirmed(apiVersion, kind, parts)).toBeUndefined();
  });
});
