import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { WorkQueueHooks } from '../kube/workQueue.ts';

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface Metrics {
  registry: Registry;
  reconciles: Counter<'result'>;
  applied: Counter<'result'>;
  deleted: Counter;
  rollouts: Counter<'outcome'>;
  hooks: Counter<'phase' | 'outcome'>;
  watchFaults: Counter<'during'>;
  missedEvents: Counter;
  droppedEvents: Counter;
  /** Tells how many objects of a Release have drifted and are left so. */
  drifted: (release: string, objects: number) => void;
  releases: Gauge;
  leader: Gauge;
  queue: WorkQueueHooks;
}

/** Metrics of one process, names `convoy_*` in base units, without a label per object (operations.md). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const depth = new Gauge({
    name: 'convoy_queue_depth',
    help: 'Releases that wait to be reconciled',
    registers,
  });
  const latency = new Histogram({
    name: 'convoy_queue_latency_seconds',
    help: 'Time from a Release being due to its reconcile',
    buckets: SECONDS,
    registers,
  });
  const duration = new Histogram({
    name: 'convoy_reconcile_duration_seconds',
    help: 'Time that one reconcile took',
    buckets: SECONDS,
    registers,
  });
  return {
    registry,
    reconciles: new Counter({
      name: 'convoy_reconciles_total',
      help: 'Reconciles by how they ended: done, held or failed',
      labelNames: ['result'],
      registers,
    }),
    applied: new Counter({
      name: 'convoy_applied_objects_total',
      help: 'Server-side applies of objects of Releases',
      labelNames: ['result'],
      registers,
    }),
    deleted: new Counter({
      name: 'convoy_deleted_objects_total',
      help: 'Objects of Releases that are gone',
      registers,
    }),
    rollouts: new Counter({
      name: 'convoy_rollouts_total',
      help: 'Rollouts by how they ended: Succeeded, Failed or RolledBack',
      labelNames: ['outcome'],
      registers,
    }),
    hooks: new Counter({
      name: 'convoy_hooks_total',
      help: 'Lifecycle hooks by phase and how they ended: Succeeded, Failed or Skipped',
      labelNames: ['phase', 'outcome'],
      registers,
    }),
    watchFaults: new Counter({
      name: 'convoy_watch_faults_total',
      help: 'Lists and watches that ended in an error and were begun again',
      labelNames: ['during'],
      registers,
    }),
    missedEvents: new Counter({
      name: 'convoy_watch_missed_objects_total',
      help: 'Objects that had changed without an event of their watch, found by the list at each interval',
      registers,
    }),
    droppedEvents: new Counter({
      name: 'convoy_events_failed_total',
      help: 'Kubernetes Events that could not be written',
      registers,
    }),
    drifted: driftOf(registers),
    releases: new Gauge({ name: 'convoy_releases', help: 'Releases that exist', registers }),
    leader: new Gauge({
      name: 'convoy_leader',
      help: '1 where this process acts, 0 where it waits',
      registers,
    }),
    queue: {
      depth: (keys) => depth.set(keys),
      latency: (ms) => latency.observe(ms / 1000),
      workDuration: (ms) => duration.observe(ms / 1000),
    },
  };
}

/** One sum over all Releases. */
function driftOf(registers: Registry[]): Metrics['drifted'] {
  const gauge = new Gauge({
    name: 'convoy_drifted_objects',
    help: 'Objects of Releases in manual mode that differ from what was applied',
    registers,
  });
  const byRelease = new Map<string, number>();
  return (release, objects) => {
    if (objects === 0) byRelease.delete(release);
    else byRelease.set(release, objects);
    gauge.set([...byRelease.values()].reduce((sum, each) => sum + each, 0));
  };
}
