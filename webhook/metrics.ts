import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** An API server waits for 10 s at most, for the waves of applied objects 2 s. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export interface Metrics {
  registry: Registry;
  requests: Counter<'path' | 'verdict'>;
  duration: Histogram<'path'>;
  watchFaults: Counter<'during'>;
  /** Seconds since 1970. */
  certificateExpiry: Gauge;
}

/** Metrics of one process, names `convoy_*` in base units, without a label per object (operations.md). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Counter({
      name: 'convoy_webhook_requests_total',
      help: 'Admission requests by path and what became of them: allowed, patched, warned, refused, malformed or failed',
      labelNames: ['path', 'verdict'],
      registers,
    }),
    duration: new Histogram({
      name: 'convoy_webhook_request_duration_seconds',
      help: 'Time that one admission request took',
      labelNames: ['path'],
      buckets: SECONDS,
      registers,
    }),
    watchFaults: new Counter({
      name: 'convoy_watch_faults_total',
      help: 'Lists and watches that ended in an error and were begun again',
      labelNames: ['during'],
      registers,
    }),
    certificateExpiry: new Gauge({
      name: 'convoy_webhook_certificate_expiry_timestamp_seconds',
      help: 'When the serving certificate ends',
      registers,
    }),
  };
}
