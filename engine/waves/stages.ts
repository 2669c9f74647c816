import type { StageName } from '../../api/inventory.ts';
import type { SyncStrategy } from '../../api/annotations.ts';
import { objectsOfWave, type PlannedObject, type PlannedWave } from '../plan/plan.ts';
import { gateOf } from './gate.ts';

/**
 * Whether stages of a wave wait for the health of those before them, at a render's first apply (waves.md, "In a wave"): where
 * the wave is gated, or the render's default strategy is waitForHealthy.
 */
export function isStaged(wave: PlannedWave, defaultStrategy: SyncStrategy): boolean {
  return defaultStrategy === 'waitForHealthy' || gateOf(objectsOfWave(wave)) !== undefined;
}

/** What a stage waits for where it does: late objects for the regular ones, instances for all others of the wave. */
export function awaitedBy(stage: StageName, wave: PlannedWave): PlannedObject[] {
  if (stage === 'Instances') return objectsOfWave(wave).filter((planned) => planned.stage !== 'Instances');
  if (stage === 'Late') return objectsOfWave(wave).filter((planned) => planned.stage === 'Regular');
  return [];
}
