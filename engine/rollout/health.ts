import type { RolloutHealth } from './rollout.ts';

/** Every object of the render is Healthy, assessed for this render. Without any object all are. */
export function allHealthy(health: RolloutHealth | undefined, renderRef: string): boolean {
  if (health?.renderRef !== renderRef || health.missing > 0) return false;
  const { progressing, degraded, unknown } = health.counts;
  return progressing + degraded + unknown === 0;
}

/** At least one object is on its way or Degraded, assessed for this render. What is Unknown fails no rollout. */
export function anyUnhealthy(health: RolloutHealth | undefined, renderRef: string): boolean {
  return health?.renderRef === renderRef && health.counts.progressing + health.counts.degraded > 0;
}

/** Whether the render becomes `lastHealthy`; without spec.healthAssessment every render counts as healthy at once. */
export function countsAsHealthy(
  { isAssessed, health }: { isAssessed: boolean; health: RolloutHealth | undefined },
  renderRef: string,
): boolean {
  return !isAssessed || allHealthy(health, renderRef);
}
