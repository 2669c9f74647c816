import type { Discovery } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/client.ts';

/** The cluster that a Release is applied to. */
export interface TargetCluster {
  /** As messages and log lines name it. */
  name: string;
  client: KubeClient;
  discovery: Discovery;
}
