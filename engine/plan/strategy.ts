import { DEFAULT_SYNC_STRATEGY, type SyncStrategy } from '../../api/annotations.ts';
import type { ObjectAnnotations } from './annotations.ts';

/**
 * The strategy of objects without a valid `sync-strategy` (waves.md, axis A, rule 1): what the Release says;
 * waitForHealthy where any object has an `apply-order`; else waitForApplied.
 * @param configured `spec.syncPolicy.defaultStrategy`
 */
export function defaultStrategyOf(
  annotations: readonly ObjectAnnotations[],
  configured: SyncStrategy | undefined,
): SyncStrategy {
  if (configured !== undefined) return configured;
  return annotations.some(({ applyOrder }) => applyOrder !== undefined)
    ? 'waitForHealthy'
    : DEFAULT_SYNC_STRATEGY;
}
