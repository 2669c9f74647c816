import { RenderError } from '../../../../engine/render/errors.ts';
import type { SourceFile } from '../../../../engine/render/files.ts';
import type { RenderOptions } from '../../../../engine/render/render.ts';

/** @returns the message of the RenderError that the action throws */
export function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

const CLUSTER_SCOPED = new Set([
  '/Namespace',
  '/PersistentVolume',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
]);
const BUILT_IN = /^(?:|apps|batch|policy|autoscaling|[a-z]+\.k8s\.io|rbac\.authorization\.k8s\.io)$/;

/** A cluster that knows the built-in kinds alone. */
export const OPTIONS: RenderOptions = {
  targetNamespace: 'apps',
  scopeOf: (group, kind) => {
    if (CLUSTER_SCOPED.has(`${group}/${kind}`)) return 'Cluster';
    return BUILT_IN.test(group) ? 'Namespaced' : undefined;
  },
};

/** One file with this text. */
export function file(text: string, path = 'f.yaml'): SourceFile[] {
  return [{ path, content: text }];
}
