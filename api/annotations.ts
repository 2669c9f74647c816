/** Every annotation, label and finalizer of Convoy: name, allowed values, default. Reading a value is engine's part. */
export const PREFIX = 'convoy.kumodo.io/';

// On rendered objects.
export const SYNC_WAVE = `${PREFIX}sync-wave`;
export const SYNC_STRATEGY = `${PREFIX}sync-strategy`;
export const SYNC_TIMEOUT = `${PREFIX}sync-timeout`;
export const APPLY_ORDER = `${PREFIX}apply-order`;
export const DELETE_ORDER = `${PREFIX}delete-order`;
export const PURGE_ORDER = `${PREFIX}purge-order`;
export const HOOK = `${PREFIX}hook`;
export const PRUNE = `${PREFIX}prune`;
export const UPDATE_POLICY = `${PREFIX}update-policy`;
export const ADOPTION_POLICY = `${PREFIX}adoption-policy`;
export const HEALTH = `${PREFIX}health`;

// On a Release.
export const ALLOW_EMPTY = `${PREFIX}allow-empty`;
export const FORCE_FINALIZE = `${PREFIX}force-finalize`;
/** @public */
export const SYNC = `${PREFIX}sync`;
/** @public */
export const SYNC_REQUESTED_BY = `${PREFIX}sync-requested-by`;

// Labels that Convoy writes on what it applies.
export const RELEASE_LABEL = `${PREFIX}release`;
export const RELEASE_NAMESPACE_LABEL = `${PREFIX}release-namespace`;
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'convoy';

/** Selects the rule sets that Convoy ships: `convoy.kumodo.io/rules: default`. @public */
export const RULES_LABEL = `${PREFIX}rules`;

/** Holds a Release, and what it needs to remove its objects, until they are gone. */
export const FINALIZER = `${PREFIX}finalizer`;

export const ORDER_MIN = -32768;
export const ORDER_MAX = 32767;
export const DEFAULT_WAVE = 0;
export const DEFAULT_DELETE_ORDER = 0;

export const SYNC_STRATEGIES = ['waitForApplied', 'waitForHealthy', 'waitForHealthyWithTimeout'] as const;
export type SyncStrategy = (typeof SYNC_STRATEGIES)[number];
export const DEFAULT_SYNC_STRATEGY: SyncStrategy = 'waitForApplied';
export const DEFAULT_SYNC_TIMEOUT = '30s';

export const HOOK_PHASES = ['preSync', 'postSync', 'syncFailed'] as const;
export type HookPhase = (typeof HOOK_PHASES)[number];

export const PRUNE_DISABLED = 'disabled';
export const HEALTH_IGNORE = 'ignore';

export const UPDATE_POLICIES = ['Apply', 'Recreate', 'Once'] as const;
export type UpdatePolicy = (typeof UPDATE_POLICIES)[number];
export const DEFAULT_UPDATE_POLICY: UpdatePolicy = 'Apply';

export const ADOPTION_POLICIES = ['IfUnowned', 'Never', 'Always'] as const;
export type AdoptionPolicy = (typeof ADOPTION_POLICIES)[number];
export const DEFAULT_ADOPTION_POLICY: AdoptionPolicy = 'IfUnowned';

/** What docs/api.md says of each annotation. */
export interface AnnotationDoc {
  name: string;
  on: 'rendered object' | 'Release';
  values: string;
  default: string;
  meaning: string;
}

const ORDER = `integer ${ORDER_MIN}..${ORDER_MAX}`;
const oneOf = (values: readonly string[]) => values.join(', ');

export const ANNOTATION_DOCS: readonly AnnotationDoc[] = [
  {
    name: SYNC_WAVE,
    on: 'rendered object',
    values: ORDER,
    default: '0',
    meaning: 'the wave it is applied in',
  },
  {
    name: SYNC_STRATEGY,
    on: 'rendered object',
    values: oneOf(SYNC_STRATEGIES),
    default: DEFAULT_SYNC_STRATEGY,
    meaning: 'the health gate of its wave: what the wave before must be until this one is applied',
  },
  {
    name: SYNC_TIMEOUT,
    on: 'rendered object',
    values: 'duration > 0',
    default: DEFAULT_SYNC_TIMEOUT,
    meaning: 'time limit of the gate (waitForHealthyWithTimeout)',
  },
  {
    name: APPLY_ORDER,
    on: 'rendered object',
    values: ORDER,
    default: '',
    meaning:
      'same as `sync-wave`, which wins where both stand; a render with any `apply-order` has waitForHealthy as its default strategy',
  },
  {
    name: DELETE_ORDER,
    on: 'rendered object',
    values: ORDER,
    default: '0',
    meaning: 'the delete wave: lower ones are gone before higher ones are deleted',
  },
  {
    name: PURGE_ORDER,
    on: 'rendered object',
    values: ORDER,
    default: '',
    meaning: 'the apply wave at whose end the object is deleted again',
  },
  {
    name: HOOK,
    on: 'rendered object',
    values: oneOf(HOOK_PHASES),
    default: '',
    meaning:
      'a Job that is a lifecycle hook, not a resource; `sync-wave` is its place in the phase, `sync-timeout` its timeout (5m without one)',
  },
  {
    name: PRUNE,
    on: 'rendered object',
    values: PRUNE_DISABLED,
    default: '',
    meaning: 'never pruned nor deleted by Convoy',
  },
  {
    name: UPDATE_POLICY,
    on: 'rendered object',
    values: oneOf(UPDATE_POLICIES),
    default: DEFAULT_UPDATE_POLICY,
    meaning:
      'Recreate: deleted and created again when an immutable field differs; Once: created, never updated',
  },
  {
    name: ADOPTION_POLICY,
    on: 'rendered object',
    values: oneOf(ADOPTION_POLICIES),
    default: DEFAULT_ADOPTION_POLICY,
    meaning: 'whether an object that exists already may be taken over',
  },
  { name: HEALTH, on: 'rendered object', values: HEALTH_IGNORE, default: '', meaning: 'counts as Healthy' },
  {
    name: ALLOW_EMPTY,
    on: 'Release',
    values: '"true"',
    default: '',
    meaning: 'a render without objects is meant; without it an empty render is refused',
  },
  {
    name: FORCE_FINALIZE,
    on: 'Release',
    values: '"true"',
    default: '',
    meaning: 'lets a Release go although its objects cannot be removed; they are named in an event',
  },
  {
    name: SYNC,
    on: 'Release',
    values: '`{"id": "…", "force": bool, "supersedes": ["…"]}`',
    default: '',
    meaning:
      'a sync request; each id is handled once. A client that replaces one which nobody has taken lists its id in `supersedes`',
  },
  {
    name: SYNC_REQUESTED_BY,
    on: 'Release',
    values: 'a user name',
    default: '',
    meaning: 'who asked for the sync: written by the webhook, what a client writes is replaced',
  },
];
