/** The built-in kinds with containers: pods, and what holds a pod template. */
const WITH_CONTAINERS: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod', 'PodTemplate', 'ReplicationController'],
  apps: ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  batch: ['CronJob', 'Job'],
};

/** Whether a kind of Kubernetes has containers. */
export function hasContainers(group: string, kind: string): boolean {
  return WITH_CONTAINERS[group]?.includes(kind) ?? false;
}
