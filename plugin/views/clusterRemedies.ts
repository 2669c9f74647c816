import type { Cluster } from '../../api/cluster.ts';
import type { ClusterReason } from '../../api/conditions.ts';
import { DEFAULTS } from '../../api/defaults.ts';
import { RESOURCES } from '../../api/group.ts';
import { remedyForSilence } from './remedies.ts';

type Remedy = (cluster: Cluster) => string[];

const CLUSTERS = `${RESOURCES.Cluster.plural}.${RESOURCES.Cluster.group}`;
const editSecret: Remedy = (cluster) => {
  const { namespace, name } = secretOf(cluster);
  return [`kubectl -n ${namespace} edit secret ${name}`];
};

/** What a person can do about each reason. A reason that is missing here does not compile. */
const REMEDIES: Readonly<Record<ClusterReason, Remedy>> = {
  Connected: () => [],
  KubeconfigMissing: (cluster) => {
    const { namespace, name, key } = secretOf(cluster);
    return [
      'Create the Secret, or the key in it; it is used at once:',
      `kubectl -n ${namespace} create secret generic ${name} --from-file=${key}=KUBECONFIG`,
    ];
  },
  KubeconfigRefused: (cluster) => [
    'Mend the kubeconfig in the Secret as is said above; it is used at once. What it may hold: docs/clusters.md.',
    ...editSecret(cluster),
  ],
  Unreachable: () => [
    'It is tried again by itself, every 30 s at the latest. See whether the server of its kubeconfig runs, and whether it can be reached from where the controller runs.',
  ],
  AccessDenied: (cluster) => [
    'Renew the credentials in the Secret; they are used at once:',
    ...editSecret(cluster),
  ],
};

/** What to do about a Cluster that stands so, as lines; those that begin with `kubectl ` are commands to copy. */
export function clusterRemedy(cluster: Cluster, reason: string): string[] {
  const lines = reason === '-' ? remedyForSilence() : known(reason)(cluster);
  return [...lines, ...(cluster.spec?.paused === true ? resume(cluster) : [])];
}

function known(reason: string): Remedy {
  return Object.hasOwn(REMEDIES, reason) ? REMEDIES[reason as ClusterReason] : () => [];
}

const resume: Remedy = ({ metadata: { namespace = '', name } }) => [
  'All its Releases stand still, by spec.paused. They go on after:',
  `kubectl -n ${namespace} patch ${CLUSTERS} ${name} --type merge -p '{"spec":{"paused":false}}'`,
];

/** Of its kubeconfig. */
export function secretOf({ metadata, spec }: Cluster): { namespace: string; name: string; key: string } {
  const { name = '', key = DEFAULTS.kubeconfigKey } = spec?.kubeconfig?.secretRef ?? {};
  return { namespace: metadata.namespace ?? '', name, key };
}
