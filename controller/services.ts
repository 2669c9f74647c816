import type { Release } from '../api/release.ts';
import type { KubeClient } from '../kube/client.ts';
import type { EventRecorder } from '../kube/events.ts';
import type { ReflectorFault } from '../kube/reflector.ts';
import type { Transport } from '../kube/transport.ts';
import type { TargetCluster } from './cluster.ts';
import type { ClusterWaves } from './clusterWaves/clusterWaves.ts';
import type { RuleCatalogue } from './health/ruleCatalogue.ts';
import type { HookJobs } from './hooks/hookJobs.ts';
import type { KnownInventories } from './inventory/known.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Observer } from './observer/observer.ts';
import type { Wakeups } from './release/wakeups.ts';
import type { Renderer } from './render/renderer.ts';
import type { SourceWatches } from './source/watches.ts';
import type { Renders } from './store/renders.ts';

/** What a reconcile works with; everything that touches the world comes in here. */
export interface Services {
  /** The cluster that the controller runs on: Releases, inventories and sources are read there. */
  home: TargetCluster;
  /** The cluster that the Release at hand is applied to. */
  target: TargetCluster;
  /** Reads what sources and variables name, on the home cluster, as whoever the Release acts as. */
  sourceReader: KubeClient;
  /** The ServiceAccount that the Release acts as; undefined: Convoy itself. */
  actsAs: string | undefined;
  /** Speaks to the target's API server. */
  transport: Transport;
  /** Of the target. */
  observer: Observer;
  inventories: KnownInventories;
  rules: RuleCatalogue;
  clusterWaves: ClusterWaves;
  renderer: Renderer;
  renders: Renders;
  sources: SourceWatches;
  wakeups: Wakeups;
  /** Of running hooks. */
  hookJobs: HookJobs;
  events: EventRecorder;
  metrics: Metrics;
  /** Told of each list or watch that ended in an error and is begun again. */
  watchFault: (fault: ReflectorFault) => void;
  log: Log;
  now: () => Date;
}

/** `namespace/name` of a Release: its key in the queue. */
export function releaseKey(release: Pick<Release, 'metadata'>): string {
  return `${release.metadata.namespace ?? ''}/${release.metadata.name}`;
}
