import { GROUP, RESOURCES } from '../../api/group.ts';
import type { Scope, ScopeLookup } from './types.ts';

/** The cluster-scoped kinds that Kubernetes itself serves, by group; all its others are namespaced. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  '': ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'authentication.k8s.io': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io': ['SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io': ['IngressClass', 'IPAddress', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  'storagemigration.k8s.io': ['StorageVersionMigration'],
};

/** The kinds of Kubernetes that live in a namespace, of the groups whose kinds people write. */
const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'Binding',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  apps: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'authorization.k8s.io': ['LocalSubjectAccessReview'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'certificates.k8s.io': ['PodCertificateRequest'],
  'coordination.k8s.io': ['Lease', 'LeaseCandidate'],
  'discovery.k8s.io': ['EndpointSlice'],
  'events.k8s.io': ['Event'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  policy: ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
  'resource.k8s.io': ['ResourceClaim', 'ResourceClaimTemplate'],
  'scheduling.k8s.io': ['Workload'],
  'storage.k8s.io': ['CSIStorageCapacity'],
};

/** Where a kind of Kubernetes or of Convoy lives, without asking a cluster; undefined for all others. */
export function builtInScope(group: string, kind: string): Scope | undefined {
  if (CLUSTER_SCOPED[group]?.includes(kind) === true) return 'Cluster';
  if (NAMESPACED[group]?.includes(kind) === true) return 'Namespaced';
  if (group !== GROUP) return undefined;
  const resource = Object.values(RESOURCES).find((one) => one.kind === kind);
  return resource === undefined ? undefined : resource.namespaced ? 'Namespaced' : 'Cluster';
}

/** Kinds by `group/kind` that had to be guessed. */
export type Guessed = Set<string>;

/** A lookup that takes unknown kinds for namespaced, as most are, and notes each of them. */
export function guessingScopes(guessed: Guessed): ScopeLookup {
  return (group, kind) => {
    const known = builtInScope(group, kind);
    if (known !== undefined) return known;
    guessed.add(group === '' ? kind : `${group}/${kind}`);
    return 'Namespaced';
  };
}
