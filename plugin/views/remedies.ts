import type { ReadyReason } from '../../api/conditions.ts';
import { RESOURCES } from '../../api/group.ts';
import type { HookStatus } from '../../api/release.ts';

/** The Release that a remedy is for. */
export interface Patient {
  namespace: string;
  name: string;
  /** Of the last sync. */
  hooks?: readonly HookStatus[] | undefined;
}

type Remedy = (release: Patient) => string[];

const RELEASES = `${RESOURCES.Release.plural}.${RESOURCES.Release.group}`;
const edit: Remedy = ({ namespace, name }) => [`kubectl -n ${namespace} edit ${RELEASES} ${name}`];
const events: Remedy = ({ namespace, name }) => [
  `kubectl -n ${namespace} get events --field-selector involvedObject.name=${name}`,
];
const plan = ['The source can be checked before it is used again:', 'kubectl convoy waves plan -f FILES'];
/** A plan is made offline: what the API server refuses only the API server can tell. */
const ask = [
  'The API server can be asked before it is used again:',
  'kubectl apply --server-side --force-conflicts --dry-run=server -f FILES',
];
const why: Remedy = ({ namespace, name }) => [`kubectl convoy release why ${name} -n ${namespace}`];
const again: Remedy = ({ namespace, name }) => [
  'When that is mended, or to try the same once more:',
  `kubectl convoy release sync ${name} -n ${namespace} --force`,
];
/** For each hook in this state that has a Job. */
const jobCommands = (hooks: Patient['hooks'] = [], state: HookStatus['state']) =>
  hooks
    .filter((hook) => hook.state === state && hook.uid !== undefined)
    .flatMap(({ namespace, job = '' }) => [
      `kubectl -n ${namespace} describe job ${job}`,
      `kubectl -n ${namespace} logs job/${job} --all-containers`,
    ]);
const goesOn = 'Nothing has to be done to Convoy: it goes on by itself as soon as that is so.';

/**
 * What a person can do about each reason; none where nothing is to be done. A reason that is missing here does not compile.
 * Lines that begin with `kubectl ` are commands to copy.
 */
const REMEDIES: Readonly<Record<ReadyReason, Remedy>> = {
  Applied: () => [],
  AllHealthy: () => [],
  NotAssessed: () => [],
  Pinned: ({ namespace, name }) => [
    'It stays at the pinned render until the pin is taken out; what the source would change by then is told by:',
    `kubectl convoy release diff ${name} -n ${namespace}`,
    `kubectl convoy release unpin ${name} -n ${namespace}`,
  ],
  RolledBack: (release) => [
    'The last healthy render is applied again. Mend the source: a new render starts a new rollout.',
    'What the render that failed would change is told by:',
    `kubectl convoy release diff ${release.name} -n ${release.namespace}`,
    ...plan,
    ...again(release),
  ],
  WaitingForWaveHealth: (release) => [
    'Find out why the objects named above are not healthy:',
    ...why(release),
    goesOn,
  ],
  WaitingForStage: () => ['Find out why what is waited for is not there or not ready.', goesOn],
  WaitingForClusterWave: ({ namespace }) => [
    'See what the Releases named above wait for:',
    `kubectl convoy cluster waves -n ${namespace}`,
    goesOn,
  ],
  WaitingForSync: ({ namespace, name }) => [
    'A new render is there. It is applied when a sync is requested (syncPolicy.mode: Manual):',
    `kubectl convoy release sync ${name} -n ${namespace} --wait`,
  ],
  WaitingForHook: ({ hooks }) => ['See how far the hook is:', ...jobCommands(hooks, 'Running'), goesOn],
  ClusterWaveFailed: ({ namespace }) => [
    'Mend the Releases named above; this one goes on when they pass.',
    `kubectl convoy cluster waves -n ${namespace}`,
  ],
  WaveFailed: (release) => [
    'Find out why the objects named above are not healthy; the wave opens when they are:',
    ...why(release),
  ],
  RolloutFailed: (release) => [
    'Find out why the objects named above are not healthy, or mend the source:',
    ...why(release),
    ...again(release),
  ],
  DryRunFailed: () => ['Nothing was changed. Mend what the API server refuses in the source.', ...ask],
  ApplyFailed: () => ['Mend the objects named above in the source. What can heal is tried again by itself.'],
  HookFailed: ({ hooks, namespace, name }) => [
    'See why the Job failed:',
    ...jobCommands(hooks, 'Failed'),
    'Mend it. It runs again for a new render, or when a sync is requested:',
    `kubectl convoy release sync ${name} -n ${namespace}`,
  ],
  OwnershipConflict: () => [
    'Take the objects out of one of the two sources, or delete the other Release or the object that is there.',
    'It is tried again by itself.',
  ],
  AccessDenied: ({ namespace, name }) => [
    'Grant the rights named above to the user named there (spec.serviceAccountName, or the identity of the controller),',
    'or take the objects out of the source. Rights that are given count at the next change or interval, or at once by:',
    `kubectl convoy release sync ${name} -n ${namespace}`,
  ],
  Deleting: () => [
    'The Release goes by itself when what is named above is gone.',
    'A finalizer is taken off by the controller that it belongs to: see whether that one runs.',
  ],
  Unsupported: (release) => ['Take the fields named above out of the Release:', ...edit(release)],
  SourceFailed: (release) => [
    'What is applied stays as it is. Mend the source, or what spec.source says of it:',
    ...edit(release),
  ],
  RenderFailed: () => ['Nothing was changed. Mend the source.', ...plan],
  OrderInvalid: () => ['Nothing was changed. Change the annotations of one of the two objects.', ...plan],
  ClusterUnavailable: (release) => [
    'What is applied stays as it is; it is tried again by itself.',
    ...events(release),
  ],
  PruneFailed: () => ['What is left over is tried again by itself; see to what is named above.'],
  Suspended: ({ namespace, name }) => [
    'It goes on when it is no longer suspended:',
    `kubectl convoy release resume ${name} -n ${namespace}`,
  ],
  Progressing: (release) => ['It is on its way. What its pods say:', ...why(release)],
  Degraded: (release) => ['What is wrong with the objects, and what their pods say:', ...why(release)],
  AssessmentUnknown: (release) => [
    'The state of objects is not known. Which ones, and why:',
    ...why(release),
  ],
};

/** What to do about a Release with this reason, as lines; none where there is nothing to do, or the reason is not known. */
export function remedyFor(reason: string, release: Patient): string[] {
  return Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason as ReadyReason](release) : [];
}

/** For a Release that the controller has not taken up. */
export function remedyForSilence(): string[] {
  return [
    'See whether the controller runs, and what it logs. One in this cluster is told by:',
    'kubectl convoy version',
  ];
}
