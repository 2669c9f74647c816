import { condition, object, type Parts } from './support.ts';

const seen = (type: string) => condition(type, 'True', { observedGeneration: 2 });
const replicas = { observedGeneration: 2, replicas: 1, readyReplicas: 1, availableReplicas: 1 };
const updated = { ...replicas, updatedReplicas: 1 };
const labelled = { ...replicas, fullyLabeledReplicas: 1 };
const conditions = (...types: string[]) => ({ conditions: types.map(seen) });

const KINDS: readonly (readonly [apiVersion: string, kind: string, parts: Parts])[] = [
  ['apps/v1', 'Deployment', { status: { ...updated, ...conditions('Available') } }],
  ['apps/v1', 'StatefulSet', { status: { ...updated, currentRevision: 'a', updateRevision: 'a' } }],
  [
    'apps/v1',
    'DaemonSet',
    {
      status: {
        observedGeneration: 2,
        desiredNumberScheduled: 1,
        currentNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberReady: 1,
        numberAvailable: 1,
      },
    },
  ],
  ['apps/v1', 'ReplicaSet', { status: labelled }],
  ['v1', 'ReplicationController', { status: labelled }],
  ['v1', 'Pod', { status: { phase: 'Running', ...conditions('Ready') } }],
  ['batch/v1', 'Job', { status: conditions('Complete') }],
  ['v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }],
  ['v1', 'PersistentVolume', { status: { phase: 'Available' } }],
  ['v1', 'Namespace', { status: { phase: 'Active' } }],
  [
    'v1',
    'Service',
    { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '::1' }] } } },
  ],
  ['autoscaling/v2', 'HorizontalPodAutoscaler', { status: conditions('AbleToScale', 'ScalingActive') }],
  [
    'policy/v1',
    'PodDisruptionBudget',
    {
      status: {
        observedGeneration: 2,
        currentHealthy: 1,
        desiredHealthy: 1,
        ...conditions('DisruptionAllowed'),
      },
    },
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    { status: conditions('NamesAccepted', 'Established') },
  ],
  ['apiregistration.k8s.io/v1', 'APIService', { status: conditions('Available') }],
  ['gateway.networking.k8s.io/v1', 'GatewayClass', { status: conditions('Accepted') }],
  [
    'gateway.networking.k8s.io/v1',
    'Gateway',
    {
      status: {
        ...conditions('Accepted', 'Programmed'),
        listeners: [{ name: 'web', ...conditions('ResolvedRefs') }],
      },
    },
  ],
  [
    'gateway.networking.k8s.io/v1',
    'HTTPRoute',
    {
      spec: { parentRefs: [{ name: 'a' }] },
      status: { parents: [{ parentRef: { name: 'a' }, ...conditions('Accepted', 'ResolvedRefs') }] },
    },
  ],
  [
    'gateway.networking.k8s.io/v1',
    'BackendTLSPolicy',
    { status: { ancestors: [{ ancestorRef: { name: 'a' }, ...conditions('Accepted') }] } },
  ],
  ['example.com/v1', 'Widget', { status: { observedGeneration: 2, ...conditions('Ready') } }],
];

/** Of each kind whose health its status tells, one that is Healthy; no field of its status is without use. */
export const HEALTHY = KINDS.map(([apiVersion, kind, parts]) => object(apiVersion, kind, parts));
