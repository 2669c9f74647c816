import { HOOK_PHASES } from './annotations.ts';
import { FAILURE_STAGES } from './conditions.ts';
import { MAX_ACTOR, MAX_HOOKS, MAX_REQUEST_ID, MAX_SUPERSEDED, MAX_WAVES, SYNC_HISTORY } from './limits.ts';
import { boolean, digest, integer, list, object, oneOf, optional, string, time } from './schema.ts';
import { commonStatus, message } from './status.ts';
import { waveNumber } from './wave.ts';

const ROLLOUT_STATES = ['Progressing', 'Succeeded', 'Failed', 'RolledBack'] as const;
const HOOK_STATES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Skipped'] as const;
const SYNC_STEPS = ['preSync', 'apply', 'postSync'] as const;
/** Reasons of `Applied` for which syncFailed hooks run. */
export const SYNC_FAILURES = ['WaveFailed', 'RolloutFailed', 'HookFailed', 'ApplyFailed'] as const;
const HISTORY_MAX = 50;
const MEMORY_PRESSURE = ['none', 'moderate', 'high', 'critical'] as const;

const revision = () => string('The source’s name for what was fetched.', 1024);
const renderRef = () => digest('The render, by digest.');
const requestId = (description: string) => string(description, MAX_REQUEST_ID, { minLength: 1 });
const actor = (description: string) => string(description, MAX_ACTOR);

const attempt = { renderRef: renderRef(), revision: revision(), at: time('When.') };

const failure = object('Why it ended early.', {
  stage: oneOf('Where the reconcile ended.', FAILURE_STAGES),
  message: message('What failed and what to do.'),
});

const wave = object('One wave that the last reconcile applied.', {
  number: waveNumber('The number of the wave.'),
  resources: integer('Objects in it.'),
  applied: integer('Objects applied.'),
  healthy: optional(boolean('Whether all are Healthy; absent while one has no state for this render.')),
  state: oneOf('Always Completed.', ['Completed']),
  startedAt: time('The first apply of this wave for the current render.'),
  completedAt: optional(time('When all of it was applied first; absent while part of it waits.')),
});

const sync = object('Sync requests.', {
  active: optional(
    object('The request that the render being applied goes back to.', {
      id: requestId('Its id.'),
      force: boolean('Whether it was forced.'),
      renderRef: renderRef(),
    }),
  ),
  recent: optional(
    list(
      'Handled requests, newest first.',
      object('One request.', {
        id: requestId('Its id.'),
        force: boolean('Whether it was forced.'),
        by: optional(actor('Who asked.')),
        at: time('When it was taken.'),
        result: optional(message('What became of it.')),
        supersedes: optional(
          list('Ids of requests that it replaced before they were taken.', requestId('An id.'), {
            maxItems: MAX_SUPERSEDED,
          }),
        ),
      }),
      { maxItems: SYNC_HISTORY },
    ),
  ),
});

const hook = object('One hook of the last sync.', {
  name: string('Its name in spec.lifecycleHooks, or that of the Job in the render.', 253),
  phase: oneOf('Its phase.', HOOK_PHASES),
  state: oneOf('How it stands: Pending until its turn comes, Skipped where that never comes.', HOOK_STATES),
  namespace: string('Namespace of its Job.', 63),
  job: optional(string('Name of its Job; absent until it is started.', 253)),
  uid: optional(string('UID of its Job, once that exists.', 128)),
  startedAt: optional(time('When it started.')),
  completedAt: optional(time('When it ended.')),
  message: optional(message('How it stands, or why it was skipped or failed.')),
});

const hookSync = object('The sync that status.hooks speaks of.', {
  renderRef: renderRef(),
  request: optional(requestId('The sync request that it goes back to.')),
  startedAt: time('When it began.'),
  passed: optional(
    list('Steps that it has behind it: none of their hooks runs again.', oneOf('A step.', SYNC_STEPS), {
      maxItems: SYNC_STEPS.length,
    }),
  ),
  failures: optional(
    list(
      'Failures that syncFailed hooks were started for and that are not mended.',
      oneOf('A reason.', SYNC_FAILURES),
      {
        maxItems: SYNC_FAILURES.length,
      },
    ),
  ),
  failure: optional(
    object('For which they were started last.', {
      reason: oneOf('The reason.', SYNC_FAILURES),
      at: time('When.'),
    }),
  ),
  ended: optional(boolean('true: another sync takes its place as soon as its running hooks are gone.')),
});

const historyEntry = object('One render that was applied.', {
  number: integer('Counts up from 1.', { minimum: 1 }),
  renderRef: renderRef(),
  revision: revision(),
  appliedAt: time('When it was applied.'),
  by: optional(actor('Who asked for the sync.')),
});

const health = object('Objects by state.', {
  healthy: integer('Healthy ones.'),
  progressing: integer('Progressing ones.'),
  degraded: integer('Degraded ones.'),
  unknown: integer('Those whose state is not known.'),
});

const report = object('The pods’ reports as one.', {
  ready: optional(boolean('All are ready.')),
  serving: optional(boolean('All serve.')),
  generationConsistent: optional(boolean('All report the same generation.')),
  version: optional(string('The version, where all report the same.', 256)),
  ringMembers: optional(integer('The least of them.')),
  bootstrapInFlight: optional(integer('Their sum.')),
  outboxDepth: optional(integer('Their sum.')),
  fdWaitTimeouts: optional(integer('The sum of their growth.')),
  peerConnectionFailures: optional(integer('The sum of their growth.')),
  memoryPressure: optional(oneOf('The highest of them.', MEMORY_PRESSURE)),
  stale: boolean('A ready pod has no current report.'),
  pods: integer('Ready pods.'),
  reporting: integer('Pods with a current report.'),
});

export const releaseStatus = object('Where the Release stands; written by the controller alone.', {
  ...commonStatus,
  source: optional(object('What was fetched last.', { revision: revision(), fetchedAt: time('When.') })),
  lastAttempted: optional(
    object('The last render that a reconcile took up.', {
      renderRef: optional(renderRef()),
      revision: optional(revision()),
      at: time('When.'),
      failure: optional(failure),
    }),
  ),
  lastSuccessful: optional(object('The last render that was applied completely.', attempt)),
  lastHealthy: optional(object('The last render that was healthy; what a rollback goes back to.', attempt)),
  waves: optional(list('The waves that the last reconcile applied.', wave, { maxItems: MAX_WAVES })),
  rollout: optional(
    object('The rollout of the current render; only with spec.failurePolicy.', {
      state: oneOf('How it stands.', ROLLOUT_STATES),
      renderRef: renderRef(),
      startedAt: time('When it started.'),
      message: optional(message('What a person should know.')),
    }),
  ),
  pin: optional(
    object('The pin that is applied; absent when spec.pin is.', {
      renderRef: renderRef(),
      history: optional(integer('The number in status.history that spec.pin names.', { minimum: 1 })),
    }),
  ),
  sync: optional(sync),
  hooks: optional(list('Hooks of the last sync, in their order.', hook, { maxItems: MAX_HOOKS })),
  hookSync: optional(hookSync),
  history: optional(
    list('Renders that were applied, newest first.', historyEntry, { maxItems: HISTORY_MAX }),
  ),
  health: optional(health),
  report: optional(report),
  inventory: optional(
    object('How much the Release holds.', {
      entries: integer('Objects.'),
      shards: integer('ReleaseInventory objects that list them.'),
    }),
  ),
});
