import type { ReadyReason } from '../../api/conditions.ts';
import { RESOURCES } from '../../api/group.ts';

/** The Release that a remedy is for. */
export interface Patient {
  namespace: string;
  name: string;
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
const goesOn = 'Nothing has to be done to Convoy: it goes on by itself as soon as that is so.';

/**
 * What a person can do about each reason; none where nothing is to be done. A reason that is missing here does not compile.
 * Lines that begin with `kubectl ` are commands to copy.
 */
const REMEDIES: Readonly<Record<ReadyReason, Remedy>> = {
  Applied: () => [],
  AllHealthy: () => [],
  NotAssessed: () => [],
  Pinned: (release) => ['It stays at the pinned render until spec.pin is removed:', ...edit(release)],
  RolledBack: (release) => [
    'The last healthy render is applied again. Mend the source: a new render starts a new rollout.',
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
    `kubectl convoy release get -n ${namespace}`,
    goesOn,
  ],
  WaitingForSync: ({ namespace, name }) => [
    'A new render is there. It is applied when a sync is requested (syncPolicy.mode: Manual):',
    `kubectl convoy release sync ${name} -n ${namespace} --wait`,
  ],
  WaitingForHook: ({ namespace }) => ['See how far the hook is:', `kubectl -n ${namespace} get jobs`, goesOn],
  ClusterWaveFailed: ({ namespace }) => [
    'Mend the Releases named above; this one goes on when they pass.',
    `kubectl convoy release get -n ${namespace}`,
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
  HookFailed: ({ namespace }) => ['See why the Job failed:', `kubectl -n ${namespace} get jobs,pods`],
  OwnershipConflict: () => [
    'Take the objects out of one of the two sources, or delete the other Release or the object that is there.',
    'It is tried again by itself.',
  ],
  AccessDenied: () => [
    'Grant the rights named above to the identity that the controller runs as, or take the objects out of the source.',
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
  Suspended: (release) => ['It goes on when spec.suspend is taken out:', ...edit(release)],
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
