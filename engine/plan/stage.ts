import type { StageName } from '../../api/inventory.ts';

/** In a wave, what others need comes first (waves.md, "In a wave"); deletion goes the other way. */
export const STAGE_ORDER: readonly StageName[] = [
  'Namespaces',
  'Types',
  'Prerequisites',
  'Regular',
  'Late',
  'Instances',
];

/** `group/kind` of what is not regular. */
const STAGES: Readonly<Record<string, StageName>> = {
  '/Namespace': 'Namespaces',

  'apiextensions.k8s.io/CustomResourceDefinition': 'Types',
  'networking.k8s.io/IngressClass': 'Types',
  'node.k8s.io/RuntimeClass': 'Types',
  'scheduling.k8s.io/PriorityClass': 'Types',
  'storage.k8s.io/StorageClass': 'Types',

  '/LimitRange': 'Prerequisites',
  '/ResourceQuota': 'Prerequisites',
  '/ServiceAccount': 'Prerequisites',
  'networking.k8s.io/NetworkPolicy': 'Prerequisites',
  'rbac.authorization.k8s.io/ClusterRole': 'Prerequisites',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'Prerequisites',
  'rbac.authorization.k8s.io/Role': 'Prerequisites',
  'rbac.authorization.k8s.io/RoleBinding': 'Prerequisites',

  'admissionregistration.k8s.io/MutatingAdmissionPolicy': 'Late',
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': 'Late',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'Late',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': 'Late',
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': 'Late',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'Late',
  'apiregistration.k8s.io/APIService': 'Late',
};

/** @returns the stage of a kind, where it is no type that the render itself brings (those are 'Instances') */
export function stageOf({ group, kind }: { group: string; kind: string }): StageName {
  return STAGES[`${group}/${kind}`] ?? 'Regular';
}
