import type { Static } from 'typebox';
import type { KindDefinition } from './kind.ts';
import type { KubeObject } from './object.ts';
import { releaseSpec } from './releaseSpec.ts';
import { releaseStatus, type SYNC_FAILURES } from './releaseStatus.ts';

export type ReleaseSpec = Static<typeof releaseSpec>;
export type ReleaseStatus = Static<typeof releaseStatus>;
export interface Release extends KubeObject {
  kind: 'Release';
  spec: ReleaseSpec;
  status?: ReleaseStatus;
}

export type Source = ReleaseSpec['source'];
export type ConfigMapSource = NonNullable<Source['configMap']>;
export type Content = NonNullable<ReleaseSpec['content']>;
export type Mutation = NonNullable<ReleaseSpec['mutations']>[number];
export type SyncPolicy = NonNullable<ReleaseSpec['syncPolicy']>;
export type HealthAssessment = NonNullable<ReleaseSpec['healthAssessment']>;
export type FailurePolicy = NonNullable<ReleaseSpec['failurePolicy']>;
export type Pin = NonNullable<ReleaseSpec['pin']>;
export type LifecycleHook = NonNullable<NonNullable<ReleaseSpec['lifecycleHooks']>['preSync']>[number];

export type Condition = NonNullable<ReleaseStatus['conditions']>[number];
export type LastAttempted = NonNullable<ReleaseStatus['lastAttempted']>;
export type Failure = NonNullable<LastAttempted['failure']>;
export type RenderRecord = NonNullable<ReleaseStatus['lastSuccessful']>;
export type WaveStatus = NonNullable<ReleaseStatus['waves']>[number];
export type RolloutStatus = NonNullable<ReleaseStatus['rollout']>;
export type HistoryEntry = NonNullable<ReleaseStatus['history']>[number];
export type HookStatus = NonNullable<ReleaseStatus['hooks']>[number];
export type SyncFailure = (typeof SYNC_FAILURES)[number];
export type HookSync = NonNullable<ReleaseStatus['hookSync']>;
export type HealthCounts = NonNullable<ReleaseStatus['health']>;

/** The path of one condition's part in printer columns. */
const ofCondition = (type: string, part: string) => `.status.conditions[?(@.type=="${type}")].${part}`;

export const RELEASE: KindDefinition = {
  kind: 'Release',
  singular: 'release',
  shortName: 'rel',
  description: 'A set of rendered resources that is kept applied on one Cluster.',
  spec: releaseSpec,
  status: releaseStatus,
  columns: [
    {
      name: 'Ready',
      type: 'string',
      jsonPath: ofCondition('Ready', 'status'),
      description: 'Applied and healthy',
    },
    { name: 'Reason', type: 'string', jsonPath: ofCondition('Ready', 'reason'), description: 'Why' },
    {
      name: 'Applied',
      type: 'string',
      jsonPath: ofCondition('Applied', 'status'),
      wide: true,
      description: 'Whether the render is on the cluster',
    },
    {
      name: 'Healthy',
      type: 'string',
      jsonPath: ofCondition('Healthy', 'status'),
      wide: true,
      description: 'Whether all objects are healthy',
    },
    {
      name: 'Rollout',
      type: 'string',
      jsonPath: '.status.rollout.state',
      wide: true,
      description: 'The rollout of the current render',
    },
    {
      name: 'Revision',
      type: 'string',
      jsonPath: '.status.source.revision',
      // A digest is wider than all the rest together.
      wide: true,
      description: 'What was fetched last',
    },
    {
      name: 'Cluster',
      type: 'string',
      jsonPath: '.spec.clusterRef.name',
      wide: true,
      description: 'Where it is applied',
    },
    {
      name: 'Objects',
      type: 'integer',
      jsonPath: '.status.inventory.entries',
      wide: true,
      description: 'How many objects it holds',
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'Since it was created',
    },
    {
      name: 'Message',
      type: 'string',
      jsonPath: ofCondition('Ready', 'message'),
      description: 'What to know',
    },
  ],
};
