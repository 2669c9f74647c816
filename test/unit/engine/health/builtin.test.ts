import { describe, expect, it } from 'vitest';
import { assess } from '../../../../engine/health/assess.ts';
import { ago, condition, decides, NOW, object, type Parts } from './support.ts';

const conditions = (...list: unknown[]): Parts => ({ status: { conditions: list } });

describe('Job', () => {
  const active = { active: 2, succeeded: 1, failed: 1 };
  decides('batch/v1', 'Job', [
    ['complete', conditions(condition('Complete', 'True')), 'Healthy', 'complete'],
    [
      'running',
      { spec: { completions: 3 }, status: active },
      'Progressing',
      'running: 1 of 3 completions, 2 active, 1 failed',
    ],
    ['running without a number of completions', { status: active }, 'Progressing', '1 done, 2 active'],
    ['no status yet', { spec: { completions: 1 } }, 'Progressing', 'running: 0 of 1 completion'],
    [
      'failed',
      conditions(condition('Failed', 'True', { reason: 'BackoffLimitExceeded' })),
      'Degraded',
      'BackoffLimitExceeded',
    ],
    [
      'about to fail',
      conditions(condition('FailureTarget', 'True', { reason: 'PodFailurePolicy' })),
      'Progressing',
      'failing, its pods are being ended: PodFailurePolicy',
    ],
    ['about to complete', conditions(condition('SuccessCriteriaMet', 'True')), 'Progressing', 'running'],
    ['suspended', { spec: { suspend: true } }, 'Healthy', 'suspended'],
    [
      'failed and suspended',
      { spec: { suspend: true }, ...conditions(condition('Failed', 'True')) },
      'Degraded',
      'Failed',
    ],
    [
      'resumed',
      { spec: { suspend: false }, ...conditions(condition('Suspended', 'False')) },
      'Progressing',
      'running',
    ],
  ]);
});

describe('CronJob', () => {
  decides('batch/v1', 'CronJob', [
    ['scheduled', { spec: { schedule: '0 3 * * *' } }, 'Healthy', 'scheduled: 0 3 * * *'],
    ['suspended', { spec: { schedule: '0 3 * * *', suspend: true } }, 'Healthy', 'suspended'],
  ]);
});

describe('PersistentVolumeClaim', () => {
  decides('v1', 'PersistentVolumeClaim', [
    ['bound', { spec: { volumeName: 'pv-1' }, status: { phase: 'Bound' } }, 'Healthy', 'bound: pv-1'],
    ['pending', { status: { phase: 'Pending' } }, 'Progressing', 'waiting for a volume'],
    ['lost', { status: { phase: 'Lost' } }, 'Degraded', 'its volume is gone'],
    ['no status yet', {}, 'Progressing', 'no status yet'],
    ['a phase that nobody knows', { status: { phase: 'Odd' } }, 'Unknown', 'phase Odd'],
  ]);
});

describe('PersistentVolumeClaim of a class that binds late', () => {
  const facts = { lateBinding: new Set(['local']) };
  const claim = (storageClassName: string, phase: string) =>
    object('v1', 'PersistentVolumeClaim', { spec: { storageClassName }, status: { phase } });

  it.each([
    ['local', 'Pending', 'Healthy', 'it is bound when the first pod uses it'],
    ['fast', 'Pending', 'Progressing', 'waiting for a volume'],
    ['local', 'Lost', 'Degraded', 'its volume is gone'],
  ])('%s, %s', (storageClassName, phase, state, message) => {
    expect(assess(claim(storageClassName, phase), NOW, facts)).toMatchObject({ state, message });
  });
});

describe('PersistentVolume', () => {
  decides('v1', 'PersistentVolume', [
    ['available', { status: { phase: 'Available' } }, 'Healthy', 'available'],
    ['bound', { status: { phase: 'Bound' } }, 'Healthy', 'bound'],
    ['pending', { status: { phase: 'Pending' } }, 'Progressing', 'not available yet'],
    ['released', { status: { phase: 'Released' } }, 'Progressing', 'until it is reclaimed'],
    ['failed', { status: { phase: 'Failed', message: 'no plugin' } }, 'Degraded', 'failed: no plugin'],
    ['no status yet', {}, 'Progressing', 'no status yet'],
  ]);
});

describe('Namespace', () => {
  decides('v1', 'Namespace', [
    ['active', { status: { phase: 'Active' } }, 'Healthy', 'active'],
    ['terminating', { status: { phase: 'Terminating' } }, 'Progressing', 'terminating'],
    ['no status yet', {}, 'Progressing', 'no status yet'],
  ]);
});

const addresses = (...ingress: unknown[]) => ({ loadBalancer: { ingress } });

describe('Service', () => {
  const balancer = { type: 'LoadBalancer' };
  decides('v1', 'Service', [
    [
      'inside of the cluster',
      { spec: { type: 'ClusterIP' }, status: { loadBalancer: {} } },
      'Healthy',
      'there',
    ],
    ['a name outside', { spec: { type: 'ExternalName' } }, 'Healthy', 'there'],
    ['a load balancer without address', { spec: balancer }, 'Progressing', 'waiting for the address'],
    [
      'a load balancer with an empty entry',
      { spec: balancer, status: addresses({}) },
      'Progressing',
      'waiting',
    ],
    [
      'a load balancer with addresses',
      { spec: balancer, status: addresses({ ip: '10.0.0.1' }, { hostname: 'lb.example' }) },
      'Healthy',
      'address 10.0.0.1, lb.example',
    ],
  ]);
});

describe('Ingress', () => {
  decides('networking.k8s.io/v1', 'Ingress', [
    ['without an address', { status: addresses() }, 'Healthy', 'no address yet'],
    ['with an address', { status: addresses({ ip: '10.0.0.1' }) }, 'Healthy', 'address 10.0.0.1'],
  ]);
});

describe('HorizontalPodAutoscaler', () => {
  const able = condition('AbleToScale', 'True');
  const blind = (seconds: number) =>
    condition('ScalingActive', 'False', {
      reason: 'FailedGetResourceMetric',
      lastTransitionTime: ago(seconds),
    });
  const lost = (seconds: number) =>
    condition('AbleToScale', 'False', { reason: 'FailedGetScale', lastTransitionTime: ago(seconds) });
  decides('autoscaling/v2', 'HorizontalPodAutoscaler', [
    ['it scales', conditions(able, condition('ScalingActive', 'True')), 'Healthy', 'scales its target'],
    ['no status yet', {}, 'Progressing', 'not seen it yet'],
    ['no metrics yet', conditions(able), 'Progressing', 'no metrics have been read yet'],
    ['no metrics for 4 minutes', conditions(able, blind(240)), 'Progressing', 'FailedGetResourceMetric'],
    ['no metrics for 5 minutes', conditions(able, blind(300)), 'Degraded', 'FailedGetResourceMetric'],
    ['its target is just missing', conditions(lost(10)), 'Progressing', 'FailedGetScale'],
    ['its target is missing for long', conditions(lost(300)), 'Degraded', 'FailedGetScale'],
    [
      'its target is scaled to 0',
      conditions(able, condition('ScalingActive', 'False', { reason: 'ScalingDisabled' })),
      'Healthy',
      'scaled to 0',
    ],
  ]);

  const annotation = (text: string): Parts => ({
    metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': text } },
  });
  decides('autoscaling/v1', 'HorizontalPodAutoscaler', [
    [
      'v1: it scales',
      annotation(JSON.stringify([able, condition('ScalingActive', 'True')])),
      'Healthy',
      'scales its target',
    ],
    ['v1: no conditions yet', {}, 'Progressing', 'not seen it yet'],
    ['v1: conditions that are no JSON', annotation('[{'), 'Unknown', 'should be JSON'],
    ['v1: conditions that are a number', annotation('7'), 'Unknown', 'should be a list'],
    ['v1: conditions without end', annotation(' '.repeat(70_000)), 'Unknown', 'at most'],
  ]);
});

describe('PodDisruptionBudget', () => {
  const of = (status: Record<string, unknown>): Parts => ({ status: { observedGeneration: 2, ...status } });
  const sync = (seconds: number) =>
    condition('DisruptionAllowed', 'False', { reason: 'SyncFailed', lastTransitionTime: ago(seconds) });
  decides('policy/v1', 'PodDisruptionBudget', [
    ['computed', of({ currentHealthy: 2, desiredHealthy: 1 }), 'Healthy', 'in force'],
    [
      'computed, no disruption allowed',
      of({ currentHealthy: 0, desiredHealthy: 1 }),
      'Healthy',
      '0 of 1 pod',
    ],
    ['no status yet', {}, 'Progressing', 'not seen it yet'],
    ['it could not be computed just now', of({ conditions: [sync(5)] }), 'Progressing', 'SyncFailed'],
    ['it cannot be computed', of({ conditions: [sync(60)] }), 'Degraded', 'SyncFailed'],
  ]);
});

describe('CustomResourceDefinition', () => {
  const names = condition('NamesAccepted', 'True');
  decides('apiextensions.k8s.io/v1', 'CustomResourceDefinition', [
    ['established', conditions(names, condition('Established', 'True')), 'Healthy', 'established'],
    ['no status yet', {}, 'Progressing', 'names are not accepted yet'],
    ['names accepted', conditions(names), 'Progressing', 'not established yet'],
    [
      'installing',
      conditions(names, condition('Established', 'False', { reason: 'Installing' })),
      'Progressing',
      'not established yet',
    ],
    [
      'not established for a reason',
      conditions(names, condition('Established', 'False', { reason: 'NotAccepted' })),
      'Degraded',
      'NotAccepted',
    ],
    [
      'names are taken',
      conditions(condition('NamesAccepted', 'False', { reason: 'PluralConflict' })),
      'Degraded',
      'PluralConflict',
    ],
  ]);
});

describe('APIService', () => {
  decides('apiregistration.k8s.io/v1', 'APIService', [
    ['available', conditions(condition('Available', 'True')), 'Healthy', 'available'],
    [
      'its backend is not there',
      conditions(condition('Available', 'False', { reason: 'MissingEndpoints' })),
      'Progressing',
      'MissingEndpoints',
    ],
    ['no status yet', {}, 'Progressing', 'not asked yet'],
  ]);
});

describe.each([
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'ServiceAccount'],
  ['rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['storage.k8s.io/v1', 'StorageClass'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration'],
])('%s %s', (apiVersion, kind) => {
  decides(apiVersion, kind, [['is there', {}, 'Healthy', 'there']]);
});
