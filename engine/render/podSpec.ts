import { groupOf, type KubeObject } from '../../api/object.ts';
import { isMap } from './objects.ts';

/** Where the built-in workload kinds keep their pod spec. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  '/Pod': ['spec'],
  '/PodTemplate': ['template', 'spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
};
/** Where other kinds keep theirs, if they have one: an Argo Rollout, a Knative Service. */
const CUSTOM = ['spec', 'template', 'spec'];
const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Whether a kind of Kubernetes has containers. */
export function hasContainers(group: string, kind: string): boolean {
  return Object.hasOwn(BUILT_IN, `${group}/${kind}`);
}

/** @returns the containers of all sorts in a built-in workload; none for any other kind */
export function containersOf(object: KubeObject): Record<string, unknown>[] {
  const podSpec = BUILT_IN[typeOf(object)];
  return podSpec === undefined ? [] : containersAt(object, podSpec);
}

/** As containersOf, also for a custom resource with a pod template at spec.template. */
export function containersOfAnyKind(object: KubeObject): Record<string, unknown>[] {
  return containersAt(object, BUILT_IN[typeOf(object)] ?? CUSTOM);
}

function typeOf({ apiVersion, kind }: KubeObject): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

function containersAt(object: KubeObject, podSpec: readonly string[]): Record<string, unknown>[] {
  return CONTAINERS.flatMap((field) => listAt(object, [...podSpec, field]).filter(isMap));
}

/** @returns the list at a path of fields; an empty one where there is none */
export function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = path.reduce((inner, field) => (isMap(inner) ? inner[field] : undefined), value);
  return Array.isArray(found) ? found : [];
}
