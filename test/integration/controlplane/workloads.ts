import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { isTrue } from '../../controlplane/conditions.ts';

/** What the tests read of a pod's status. */
export interface PodStatus {
  phase: string;
  podIP?: string;
  conditions?: { type: string; status: string }[];
  containerStatuses?: {
    ready: boolean;
    restartCount: number;
    state: {
      waiting?: { reason: string };
      running?: object;
      terminated?: { exitCode: number; reason: string };
    };
  }[];
}

export const podStatus = (pod: ApiObject): PodStatus => pod['status'] as PodStatus;

export const isReady = (pod: ApiObject): boolean => isTrue(pod, 'Ready');

/** A number of an object's status, 0 while it is absent. */
export function statusNumber(object: ApiObject, field: string): number {
  return ((object['status'] ?? {}) as Record<string, number | undefined>)[field] ?? 0;
}

function podTemplate(annotations: Record<string, string> = {}) {
  return {
    metadata: { labels: { app: 'web' }, annotations },
    spec: { containers: [{ name: 'web', image: 'registry.example/web:1' }] },
  };
}

const selector = { matchLabels: { app: 'web' } };

export const deployment = (name: string, replicas: number, annotations?: Record<string, string>) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas, selector, template: podTemplate(annotations) },
});

export const statefulSet = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name },
  spec: { replicas, serviceName: name, selector, template: podTemplate() },
});

export const daemonSet = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name },
  spec: { selector, template: podTemplate() },
});

export function job(name: string, annotations?: Record<string, string>) {
  const template = podTemplate(annotations);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
  };
}

export const pod = (name: string, annotations: Record<string, string>, restartPolicy = 'Always') => {
  const { metadata, spec } = podTemplate(annotations);
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name }, spec: { ...spec, restartPolicy } };
};
