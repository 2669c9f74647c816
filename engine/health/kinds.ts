import { daemonSet } from './daemonSet.ts';
import { deployment } from './deployment.ts';
import { apiService, customResourceDefinition } from './extensions.ts';
import { gateway, gatewayClass, policy, route } from './gateway.ts';
import { generic, plain } from './generic.ts';
import { cronJob, job } from './job.ts';
import { ingress, service } from './networking.ts';
import { namespace, persistentVolume, persistentVolumeClaim } from './phases.ts';
import { pod } from './pod.ts';
import { replicaSet } from './replicaSet.ts';
import { horizontalPodAutoscaler, podDisruptionBudget } from './scaling.ts';
import { statefulSet } from './statefulSet.ts';
import type { Judge } from './subject.ts';

export interface KindRule {
  judge: Judge;
  /** Its controller has always said which generation it has seen: without that, it has seen none. */
  observes?: boolean;
}

const GATEWAY = 'gateway.networking.k8s.io';

/** By `group/kind`; the core group is ''. */
const RULES: Readonly<Record<string, KindRule>> = {
  'apps/Deployment': { judge: deployment, observes: true },
  'apps/StatefulSet': { judge: statefulSet, observes: true },
  'apps/DaemonSet': { judge: daemonSet, observes: true },
  'apps/ReplicaSet': { judge: replicaSet, observes: true },
  '/ReplicationController': { judge: replicaSet, observes: true },
  '/Pod': { judge: pod },
  'batch/Job': { judge: job },
  'batch/CronJob': { judge: cronJob },
  '/PersistentVolumeClaim': { judge: persistentVolumeClaim },
  '/PersistentVolume': { judge: persistentVolume },
  '/Namespace': { judge: namespace },
  '/Service': { judge: service },
  'networking.k8s.io/Ingress': { judge: ingress },
  'autoscaling/HorizontalPodAutoscaler': { judge: horizontalPodAutoscaler },
  'policy/PodDisruptionBudget': { judge: podDisruptionBudget, observes: true },
  'apiextensions.k8s.io/CustomResourceDefinition': { judge: customResourceDefinition },
  'apiregistration.k8s.io/APIService': { judge: apiService },
  [`${GATEWAY}/GatewayClass`]: { judge: gatewayClass },
  [`${GATEWAY}/Gateway`]: { judge: gateway },
  [`${GATEWAY}/ListenerSet`]: { judge: gateway },
  [`${GATEWAY}/HTTPRoute`]: { judge: route },
  [`${GATEWAY}/GRPCRoute`]: { judge: route },
  [`${GATEWAY}/TLSRoute`]: { judge: route },
  [`${GATEWAY}/TCPRoute`]: { judge: route },
  [`${GATEWAY}/UDPRoute`]: { judge: route },
  [`${GATEWAY}/BackendTLSPolicy`]: { judge: policy },
};

/** Kinds whose status, where they have one, tells nothing of whether they do their work. */
const PLAIN = [
  ...['ConfigMap', 'Secret', 'ServiceAccount', 'Endpoints', 'LimitRange', 'ResourceQuota', 'PodTemplate'].map(
    (kind) => `/${kind}`,
  ),
  ...['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'].map(
    (kind) => `rbac.authorization.k8s.io/${kind}`,
  ),
  ...['StorageClass', 'CSIDriver', 'CSINode', 'VolumeAttributesClass'].map(
    (kind) => `storage.k8s.io/${kind}`,
  ),
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map(
    (kind) => `admissionregistration.k8s.io/${kind}`,
  ),
  'apps/ControllerRevision',
  'discovery.k8s.io/EndpointSlice',
  'networking.k8s.io/NetworkPolicy',
  'networking.k8s.io/IngressClass',
  'scheduling.k8s.io/PriorityClass',
  'node.k8s.io/RuntimeClass',
  'coordination.k8s.io/Lease',
  `${GATEWAY}/ReferenceGrant`,
];

const TABLE = new Map<string, KindRule>([
  ...Object.entries(RULES),
  ...PLAIN.map((key): [string, KindRule] => [key, { judge: plain }]),
]);

/** @returns how a kind is judged: as the table says, any other by its conditions */
export function ruleFor(group: string, kind: string): KindRule {
  return TABLE.get(`${group}/${kind}`) ?? { judge: generic };
}
