import type { Discovery } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/client.ts';

/** The cluster that a Release is applied to. */
export interface TargetCluster {
  /** As messages and log lines name it. */
  name: string;
  /** Reads and writes what belongs to the Release, as whoever it acts as. */
  client: KubeClient;
  /** Watches what is waited for: Convoy itself, whoever the Release acts as. Nothing of it is shown but that it is there. */
  watcher: KubeClient;
  discovery: Discovery;
  /** All that is applied to it is in this namespace; undefined: there is no such limit. */
  onlyNamespace?: string | undefined;
}
