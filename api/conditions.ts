/** Condition types and reasons: stable names, each with its one line of documentation. */
export const CONDITION_TYPES = {
  Ready:
    'Applied and Healthy are both True for this generation; the message is the one sentence a person needs',
  Applied: 'what the last render says is on the cluster',
  Healthy: 'every object of the applied render is healthy',
  RolloutSucceeded:
    'the last rollout became healthy in time (with `spec.failurePolicy`; kept when it is removed)',
} as const;
export type ConditionType = keyof typeof CONDITION_TYPES;
export type ConditionStatus = 'True' | 'False' | 'Unknown';

export interface ReasonDoc {
  status: ConditionStatus;
  meaning: string;
}

export const APPLIED_REASONS = {
  Applied: { status: 'True', meaning: 'every object of the render is applied' },
  RolledBack: { status: 'True', meaning: 'the last healthy render is applied in place of one that failed' },
  Pinned: { status: 'True', meaning: 'the render that `spec.pin` names is applied' },
  WaitingForWaveHealth: { status: 'False', meaning: 'a wave waits for the health of the wave before it' },
  WaitingForStage: {
    status: 'False',
    meaning:
      'objects wait for others of the render: their Namespace, CRD or APIService, a Service, or the health of earlier stages',
  },
  WaitingForClusterWave: {
    status: 'False',
    meaning: 'Releases of lower waves on the same Cluster are not there yet',
  },
  WaitingForSync: {
    status: 'False',
    meaning: 'a new render waits for a sync request (`syncPolicy.mode: Manual`)',
  },
  WaitingForHook: {
    status: 'False',
    meaning: 'a lifecycle hook is running, or one of a sync before this is being ended',
  },
  ClusterWaveFailed: { status: 'False', meaning: 'Releases of lower waves did not pass in time' },
  WaveFailed: { status: 'False', meaning: 'a wave did not become healthy within its time limit' },
  RolloutFailed: {
    status: 'False',
    meaning: 'a wave failed and `spec.failurePolicy` made that the end of the rollout',
  },
  DryRunFailed: {
    status: 'False',
    meaning: 'the API server refuses objects of the render; nothing was applied',
  },
  ApplyFailed: { status: 'False', meaning: 'objects could not be applied; the message names each' },
  HookFailed: { status: 'False', meaning: 'a lifecycle hook failed or ran out of time' },
  OwnershipConflict: { status: 'False', meaning: 'objects belong to another Release' },
  AccessDenied: { status: 'False', meaning: 'the identity that applies may not do what the render asks for' },
  Deleting: { status: 'False', meaning: 'the Release is being deleted; the message names what blocks' },
  Unsupported: {
    status: 'False',
    meaning: 'the Release uses what this version does not offer; nothing was applied',
  },
} as const satisfies Record<string, ReasonDoc>;

export const HEALTHY_REASONS = {
  AllHealthy: { status: 'True', meaning: 'every object is Healthy' },
  NotAssessed: {
    status: 'True',
    meaning: 'applied; there is no `spec.healthAssessment`, so nothing is assessed',
  },
  Progressing: { status: 'False', meaning: 'objects are on their way; none is Degraded' },
  Degraded: { status: 'False', meaning: 'at least one object is Degraded' },
  AssessmentUnknown: { status: 'Unknown', meaning: 'the state of at least one object is not known' },
} as const satisfies Record<string, ReasonDoc>;

export const ROLLOUT_REASONS = {
  Succeeded: { status: 'True', meaning: 'every object of the render became healthy' },
  Failed: { status: 'False', meaning: 'the render did not become healthy; it stays applied' },
  RolledBack: {
    status: 'False',
    meaning: 'the render did not become healthy; the last healthy one was applied again',
  },
  Progressing: { status: 'Unknown', meaning: 'the rollout is not decided yet' },
} as const satisfies Record<string, ReasonDoc>;

/** Of Ready alone, besides those of Applied and Healthy: they leave Applied as it is for the render that stands applied. */
export const READY_REASONS = {
  SourceFailed: { status: 'False', meaning: 'the source could not be fetched' },
  RenderFailed: {
    status: 'False',
    meaning:
      'the source could not be turned into objects, or what `spec.pin` names is not in the render store (then of Applied too)',
  },
  OrderInvalid: {
    status: 'False',
    meaning: 'orders contradict what objects need of one another; nothing was applied',
  },
  ClusterUnavailable: { status: 'False', meaning: 'the cluster cannot be reached' },
  PruneFailed: { status: 'False', meaning: 'objects that are no longer wanted could not be removed' },
  Suspended: { status: 'False', meaning: 'the Release, or its Cluster, is suspended' },
} as const satisfies Record<string, ReasonDoc>;

/** Of Ready of a GlobalHealthRuleSet. */
export const RULE_SET_REASONS = {
  RulesValid: { status: 'True', meaning: 'every expression can be evaluated' },
  RulesInvalid: {
    status: 'False',
    meaning: 'the message names each rule with what is wrong with it; objects that it is for are Unknown',
  },
} as const satisfies Record<string, ReasonDoc>;

/** Of Ready of a Cluster. */
export const CLUSTER_REASONS = {
  Connected: { status: 'True', meaning: 'its API server answers' },
  KubeconfigMissing: { status: 'False', meaning: 'the Secret, or the key in it, does not exist' },
  KubeconfigRefused: {
    status: 'False',
    meaning: 'the kubeconfig cannot be read, or asks for what is not allowed; the message names it',
  },
  Unreachable: { status: 'False', meaning: 'its API server does not answer; it is tried again by itself' },
  AccessDenied: { status: 'False', meaning: 'its API server does not take the credentials' },
} as const satisfies Record<string, ReasonDoc>;

export type AppliedReason = keyof typeof APPLIED_REASONS;
export type HealthyReason = keyof typeof HEALTHY_REASONS;
export type RolloutReason = keyof typeof ROLLOUT_REASONS;
export type ReadyReason = AppliedReason | HealthyReason | keyof typeof READY_REASONS;
export type RuleSetReason = keyof typeof RULE_SET_REASONS;
export type ClusterReason = keyof typeof CLUSTER_REASONS;
export type ConditionReason = ReadyReason | RolloutReason | RuleSetReason | ClusterReason;

/** Reasons by the condition that carries them first, for documentation and tests. */
export const REASONS = {
  Applied: APPLIED_REASONS,
  Healthy: HEALTHY_REASONS,
  RolloutSucceeded: ROLLOUT_REASONS,
  Ready: READY_REASONS,
} as const satisfies Record<ConditionType, Record<string, ReasonDoc>>;

/** Where a reconcile ended (`status.lastAttempted.failure.stage`), in the order in which it gets there. */
export const FAILURE_STAGES = [
  'Source',
  'Render',
  'Order',
  'Cluster',
  'ClusterWave',
  'DryRun',
  'PreSync',
  'Apply',
  'Wave',
  'Prune',
  'PostSync',
  'Rollout',
] as const;
export type FailureStage = (typeof FAILURE_STAGES)[number];
