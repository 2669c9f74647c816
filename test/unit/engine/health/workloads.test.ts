import { describe } from 'vitest';
import { condition, decides, type Parts } from './support.ts';

const available = condition('Available', 'True');

describe('Deployment', () => {
  const of = (status: Record<string, unknown>, spec: Record<string, unknown> = {}): Parts => ({
    spec: { replicas: 3, ...spec },
    status: {
      observedGeneration: 2,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      conditions: [available],
      ...status,
    },
  });
  const failure = condition('ReplicaFailure', 'True', { reason: 'FailedCreate', message: 'exceeded quota' });
  const deadline = condition('Progressing', 'False', {
    reason: 'ProgressDeadlineExceeded',
    message: 'ReplicaSet "web-1" has timed out progressing.',
  });
  const nothing = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0 };

  decides('apps/v1', 'Deployment', [
    ['all replicas are available', of({}), 'Healthy', '3 of 3 replicas are available'],
    ['no status yet', { spec: { replicas: 3 } }, 'Progressing', 'not seen it yet'],
    ['no status yet, and no replica wanted', { spec: { replicas: 0 } }, 'Progressing', 'not seen it yet'],
    [
      'an earlier generation is observed',
      of({ observedGeneration: 1 }),
      'Progressing',
      'generation 2, it saw 1',
    ],
    [
      'some replicas are not updated',
      of({ updatedReplicas: 1 }),
      'Progressing',
      '1 of 3 replicas is updated',
    ],
    ['old replicas are left', of({ replicas: 5 }), 'Progressing', '2 old replicas still to be removed'],
    [
      'it is scaled down',
      of({ replicas: 4, updatedReplicas: 4 }),
      'Progressing',
      '1 replica too many, still to be removed',
    ],
    ['some replicas are not ready', of({ readyReplicas: 2 }), 'Progressing', '2 of 3 replicas are ready'],
    [
      'some replicas are not available',
      of({ availableReplicas: 2 }),
      'Progressing',
      '2 of 3 replicas are available',
    ],
    [
      'replicas are absent, so one is wanted',
      of({ ...nothing }, { replicas: null }),
      'Progressing',
      '0 of 1',
    ],
    ['scaled to 0', of({ ...nothing }, { replicas: 0 }), 'Healthy', 'scaled to 0'],
    ['Available is absent', of({ conditions: [] }), 'Progressing', 'Available is not True'],
    [
      'pods cannot be made',
      of({ ...nothing, conditions: [failure] }),
      'Progressing',
      '0 of 3 replicas are updated: FailedCreate: exceeded quota',
    ],
    [
      'the progress deadline is exceeded',
      of({ updatedReplicas: 1, conditions: [deadline] }),
      'Degraded',
      'ProgressDeadlineExceeded: ReplicaSet "web-1" has timed out',
    ],
    ['paused', of({}, { paused: true }), 'Unknown', 'paused'],
    [
      'paused with a progress deadline exceeded before',
      of({ conditions: [deadline] }, { paused: true }),
      'Unknown',
      'paused',
    ],
    [
      'deleted and well',
      { ...of({}), metadata: { deletionTimestamp: '2026-03-01T11:00:00Z', finalizers: ['a/b'] } },
      'Progressing',
      'terminating, held by the finalizers a/b',
    ],
  ]);
});

describe('StatefulSet', () => {
  const of = (status: Record<string, unknown>, spec: Record<string, unknown> = {}): Parts => ({
    spec: { replicas: 3, ...spec },
    status: {
      observedGeneration: 2,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      updatedReplicas: 3,
      currentRevision: 'b',
      updateRevision: 'b',
      ...status,
    },
  });
  const onDelete = { updateStrategy: { type: 'OnDelete' } };
  const partition = (value: number) => ({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: value } },
  });
  const half = { currentRevision: 'a' };

  decides('apps/v1', 'StatefulSet', [
    ['all replicas are available', of({}), 'Healthy', '3 of 3 replicas are available'],
    ['no status yet, and no replica wanted', { spec: { replicas: 0 } }, 'Progressing', 'not seen it yet'],
    ['scaled to 0', of({ replicas: 0, updatedReplicas: 0 }, { replicas: 0 }), 'Healthy', 'scaled to 0'],
    ['replicas are missing', of({ replicas: 1 }), 'Progressing', '1 of 3 replicas is there'],
    ['it is scaled down', of({ replicas: 4 }), 'Progressing', '1 replica too many'],
    ['some are not ready', of({ readyReplicas: 2 }), 'Progressing', '2 of 3 replicas are ready'],
    ['some are not available', of({ availableReplicas: 0 }), 'Progressing', '0 of 3 replicas are available'],
    ['a server that does not count available ones', of({ availableReplicas: null }), 'Healthy', '3 of 3'],
    [
      'some are not updated',
      of({ ...half, updatedReplicas: 1 }),
      'Progressing',
      '1 of 3 replicas is updated',
    ],
    ['all are updated, the revision is not complete', of(half), 'Progressing', 'revision is not complete'],
    [
      'a partition, and its part is not updated',
      of({ ...half, updatedReplicas: 0 }, partition(2)),
      'Progressing',
      '0 of 1 replica is updated',
    ],
    [
      'a partition, and its part is updated',
      of({ ...half, updatedReplicas: 1 }, partition(2)),
      'Healthy',
      'keeps those below 2 on the old revision',
    ],
    ['a partition over all replicas', of({ ...half, updatedReplicas: 0 }, partition(5)), 'Healthy', '3 of 3'],
    [
      'a partition, its part is updated and not ready',
      of({ ...half, updatedReplicas: 1, readyReplicas: 2 }, partition(2)),
      'Progressing',
      '2 of 3 replicas are ready',
    ],
    [
      'OnDelete with old pods',
      of({ ...half, updatedReplicas: 1 }, onDelete),
      'Progressing',
      'waiting for pods to be deleted by hand (OnDelete): 2 pods still run the old revision',
    ],
    ['OnDelete, and every pod was deleted', of(half, onDelete), 'Healthy', '3 of 3'],
    ['OnDelete with pods that are not ready', of({ readyReplicas: 1 }, onDelete), 'Progressing', '1 of 3'],
  ]);
});

describe('DaemonSet', () => {
  const of = (status: Record<string, unknown>, spec: Record<string, unknown> = {}): Parts => ({
    spec,
    status: {
      observedGeneration: 2,
      desiredNumberScheduled: 3,
      currentNumberScheduled: 3,
      updatedNumberScheduled: 3,
      numberReady: 3,
      numberAvailable: 3,
      ...status,
    },
  });
  const onDelete = { updateStrategy: { type: 'OnDelete' } };
  const none = {
    desiredNumberScheduled: 0,
    currentNumberScheduled: 0,
    updatedNumberScheduled: 0,
    numberReady: 0,
    numberAvailable: 0,
  };

  decides('apps/v1', 'DaemonSet', [
    ['all pods are available', of({}), 'Healthy', '3 of 3 pods are available'],
    ['no status yet', {}, 'Progressing', 'not seen it yet'],
    ['pods are not counted yet', of({ desiredNumberScheduled: null }), 'Progressing', 'not counted yet'],
    ['no node is selected', of(none), 'Healthy', 'no node is selected'],
    ['some are not scheduled', of({ currentNumberScheduled: 2 }), 'Progressing', '2 of 3 pods are scheduled'],
    ['some are not updated', of({ updatedNumberScheduled: 1 }), 'Progressing', '1 of 3 pods is updated'],
    ['some are not ready', of({ numberReady: 2 }), 'Progressing', '2 of 3 pods are ready'],
    ['some are not available', of({ numberAvailable: 2 }), 'Progressing', '2 of 3 pods are available'],
    [
      'OnDelete with old pods',
      of({ updatedNumberScheduled: 2 }, onDelete),
      'Progressing',
      'waiting for pods to be deleted by hand (OnDelete): 1 pod still runs the old revision',
    ],
    ['OnDelete, and every pod was deleted', of({}, onDelete), 'Healthy', '3 of 3'],
  ]);
});

describe.each([
  ['apps/v1', 'ReplicaSet'],
  ['v1', 'ReplicationController'],
])('%s %s', (apiVersion, kind) => {
  const of = (status: Record<string, unknown>, replicas = 2): Parts => ({
    spec: { replicas },
    status: {
      observedGeneration: 2,
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      ...status,
    },
  });

  decides(apiVersion, kind, [
    ['all replicas are available', of({}), 'Healthy', '2 of 2 replicas are available'],
    ['no status yet', { spec: { replicas: 0 } }, 'Progressing', 'not seen it yet'],
    ['scaled to 0', of({ replicas: 0 }, 0), 'Healthy', 'scaled to 0'],
    ['replicas are missing', of({ replicas: 0 }), 'Progressing', '0 of 2 replicas are there'],
    ['it is scaled down', of({ replicas: 3 }), 'Progressing', '1 replica too many'],
    [
      'labels are missing',
      of({ fullyLabeledReplicas: 1 }),
      'Progressing',
      '1 of 2 replicas is fully labelled',
    ],
    ['some are not ready', of({ readyReplicas: 1 }), 'Progressing', '1 of 2 replicas is ready'],
    ['some are not available', of({ availableReplicas: 1 }), 'Progressing', '1 of 2 replicas is available'],
    [
      'pods cannot be made',
      of({ conditions: [condition('ReplicaFailure', 'True', { message: 'exceeded quota' })] }),
      'Progressing',
      'exceeded quota',
    ],
  ]);
});
