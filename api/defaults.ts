import { DEFAULT_SYNC_STRATEGY, DEFAULT_WAVE } from './annotations.ts';

/**
 * Defaults that Convoy applies where it reads a field. They are not defaults of the CRD, so that a Release
 * read back holds only what its author wrote; the one exception is `failurePolicy.rollback`.
 */
export const DEFAULTS = {
  contentPath: '.',
  contentType: 'yaml',
  includeCRDs: true,
  interval: '10m',
  historyLimit: 5,
  suspend: false,
  paused: false,
  syncMode: 'Automatic',
  syncStrategy: DEFAULT_SYNC_STRATEGY,
  clusterWave: DEFAULT_WAVE,
  pruneOrphaned: false,
  deletionPolicy: 'Delete',
  rollback: 'Never',
  hookTimeout: '5m',
  hookOnFailure: 'Fail',
  reportPath: '/status/rollout',
  reportInterval: '10s',
  reportVia: 'direct',
  kubeconfigKey: 'value',
} as const;
