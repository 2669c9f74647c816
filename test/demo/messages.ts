/** What the demo asks of the process that holds the cluster. */
export type Request = 'startKubernetes' | 'startController' | 'keep' | 'stop';

/** Where the cluster can be reached. */
export interface ClusterInfo {
  kubeconfig: string;
  /** Folder of kubectl. */
  binDir: string;
  url: string;
}

export interface ControllerInfo {
  url: string;
  log: string;
}

/** What that process answers. */
export type Answer =
  | { type: 'say'; line: string }
  | ({ type: 'kubernetes' } & ClusterInfo)
  | ({ type: 'controller' } & ControllerInfo)
  | { type: 'failed'; message: string };
