import type { HOOK_PHASES } from './annotations.ts';
import { content } from './content.ts';
import { DEFAULTS } from './defaults.ts';
import { labelSelector } from './fragments.ts';
import { healthRules } from './healthRules.ts';
import type { Rule } from './keywords.ts';
import { mutation } from './mutation.ts';
import {
  boolean,
  digest,
  duration,
  exactlyOne,
  freeForm,
  integer,
  interval,
  list,
  namespaceName,
  object,
  objectName,
  oneOf,
  optional,
  string,
} from './schema.ts';
import { source } from './source.ts';
import { clusterWave, strategy } from './wave.ts';

const SYNC_MODES = ['Automatic', 'Manual'] as const;
const DELETION_POLICIES = ['Delete', 'Orphan'] as const;
const ROLLBACK_POLICIES = ['Never', 'OnReleaseFailure', 'OnWaveFailure'] as const;
const HISTORY_LIMIT_MAX = 50;
const ON_FAILURE = ['Fail', 'Continue'] as const;
const REPORT_VIA = ['direct', 'apiServerProxy'] as const;

const report = object('Where the pods serve their rollout report.', {
  podSelector: labelSelector('The pods, in the target namespace.'),
  port: integer('Port of the report.', { minimum: 1, maximum: 65_535 }),
  path: optional(
    string('Path of the report.', 1024, { pattern: '^/', documentedDefault: DEFAULTS.reportPath }),
  ),
  interval: optional(
    interval('How often each pod is asked.', { documentedDefault: DEFAULTS.reportInterval }),
  ),
  via: optional(oneOf('How the pods are reached.', REPORT_VIA, { documentedDefault: DEFAULTS.reportVia })),
});

const healthAssessment = object(
  'Absent: there is no health bar, no wave waits and every render counts as healthy.',
  {
    deadline: optional(duration('How long a new render may take to become healthy.')),
    globalRuleSetSelector: optional(labelSelector('The GlobalHealthRuleSets that count, by label.')),
    rules: optional(healthRules('Rules of this Release alone; they win over the rule sets.', 64)),
    report: optional(report),
  },
);

const failurePolicy = object(
  'What happens when a new render does not become healthy. Absent: no rollout is tracked.',
  {
    rollback: optional(
      oneOf(
        'When the last healthy render is applied again: OnReleaseFailure at the deadline, OnWaveFailure at a failed wave too.',
        ROLLBACK_POLICIES,
        { default: DEFAULTS.rollback },
      ),
    ),
  },
);

const syncPolicy = object('How and when renders are applied, and what becomes of what they no longer hold.', {
  mode: optional(
    oneOf('Manual: a new render and drift wait for a sync request.', SYNC_MODES, {
      documentedDefault: DEFAULTS.syncMode,
    }),
  ),
  defaultStrategy: optional(
    strategy('For objects without convoy.kumodo.io/sync-strategy. Without healthAssessment no wave waits.', {
      documentedDefault: DEFAULTS.syncStrategy,
    }),
  ),
  waveStrategy: optional(clusterWave),
  prune: optional(
    object('What becomes of objects that the render no longer holds.', {
      orphaned: optional(
        boolean('true: they are deleted; false: they stay and are forgotten.', {
          documentedDefault: DEFAULTS.pruneOrphaned,
        }),
      ),
    }),
  ),
  deletionPolicy: optional(
    oneOf('What happens to the objects when the Release is deleted.', DELETION_POLICIES, {
      documentedDefault: DEFAULTS.deletionPolicy,
    }),
  ),
});

const hook = object('One Job.', {
  name: string('Unique in its phase.', 40, { minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' }),
  job: freeForm('The spec of the Job (batch/v1 JobSpec).'),
  timeout: optional(duration('How long it may take.', { documentedDefault: DEFAULTS.hookTimeout })),
  onFailure: optional(
    oneOf('Continue: its failure does not matter.', ON_FAILURE, {
      documentedDefault: DEFAULTS.hookOnFailure,
    }),
  ),
});

const HOOKS_DESCRIPTION = {
  preSync: 'After the dry run, before the first wave.',
  postSync: 'After the last wave.',
  syncFailed: 'When a new render fails.',
} as const satisfies Record<(typeof HOOK_PHASES)[number], string>;

const hooksOf = (phase: (typeof HOOK_PHASES)[number]) =>
  optional(list(HOOKS_DESCRIPTION[phase], hook, { maxItems: 16, keys: ['name'] }));

const lifecycleHooks = object('Jobs that run around a sync, one after another.', {
  preSync: hooksOf('preSync'),
  postSync: hooksOf('postSync'),
  syncFailed: hooksOf('syncFailed'),
});

const pin = object(
  'A stored render that is applied in place of the source’s.',
  {
    renderRef: optional(digest('The render, by digest.')),
    history: optional(integer('The render, by its number in status.history.', { minimum: 1 })),
    reason: optional(string('Why, for those who come later.', 1024)),
  },
  { rules: [exactlyOne(['renderRef', 'history'], 'set exactly one of renderRef and history')] },
);

const rollbackNeedsDeadline: Rule = {
  rule:
    "!has(self.failurePolicy) || !has(self.failurePolicy.rollback) || self.failurePolicy.rollback == 'Never' || " +
    '(has(self.healthAssessment) && has(self.healthAssessment.deadline))',
  message:
    'failurePolicy.rollback other than Never needs healthAssessment.deadline: set the time after which the release counts as failed',
  check: (self: { failurePolicy?: { rollback?: string }; healthAssessment?: { deadline?: string } }) =>
    (self.failurePolicy?.rollback ?? DEFAULTS.rollback) === DEFAULTS.rollback ||
    self.healthAssessment?.deadline !== undefined,
};

const clusterRefImmutable: Rule = {
  rule: 'has(self.clusterRef) == has(oldSelf.clusterRef) && (!has(self.clusterRef) || self.clusterRef.name == oldSelf.clusterRef.name)',
  message: 'clusterRef is immutable: create another Release for the other cluster and delete this one',
};

export const releaseSpec = object(
  'What to apply, where and how.',
  {
    source,
    content: optional(content),
    clusterRef: optional(
      object('Immutable. Absent: the cluster that the controller runs on.', {
        name: objectName('Name of the Cluster, in the namespace of the Release.'),
      }),
    ),
    serviceAccountName: optional(
      objectName(
        'The ServiceAccount of the Release’s namespace that the source is read and everything applied as. Default: that of --default-service-account, else the controller itself.',
      ),
    ),
    targetNamespace: optional(
      namespaceName('For objects that have none. Default: the namespace of the Release.'),
    ),
    interval: optional(
      interval('The source is fetched and everything checked again, at the latest after this time.', {
        documentedDefault: DEFAULTS.interval,
      }),
    ),
    suspend: optional(
      boolean('true: nothing is applied. Never stops a deletion.', { documentedDefault: DEFAULTS.suspend }),
    ),
    mutations: optional(list('Changes to the rendered objects, in order.', mutation, { maxItems: 64 })),
    healthAssessment: optional(healthAssessment),
    failurePolicy: optional(failurePolicy),
    syncPolicy: optional(syncPolicy),
    lifecycleHooks: optional(lifecycleHooks),
    historyLimit: optional(
      integer('How many renders are kept.', {
        minimum: 1,
        maximum: HISTORY_LIMIT_MAX,
        documentedDefault: DEFAULTS.historyLimit,
      }),
    ),
    pin: optional(pin),
  },
  { rules: [rollbackNeedsDeadline, clusterRefImmutable] },
);
