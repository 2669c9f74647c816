import type { Release } from '../api/release.ts';
import type { EventRecorder } from '../kube/events.ts';
import type { TargetCluster } from './cluster.ts';
import type { RuleCatalogue } from './health/ruleCatalogue.ts';
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
  /** Of the home cluster. */
  observer: Observer;
  rules: RuleCatalogue;
  renderer: Renderer;
  renders: Renders;
  sources: SourceWatches;
  wakeups: Wakeups;
  events: EventRecorder;
  metrics: Metrics;
  /** Told of each list or watch that ended in an error and is begun again. */
  watchFault: (fault: { during: string; error: unknown }) => void;
  log: Log;
  now: () => Date;
}

/** `namespace/name` of a Release: its key in the queue. */
export function releaseKey(release: Pick<Release, 'metadata'>): string {
  return `${release.metadata.namespace ?? ''}/${release.metadata.name}`;
}
