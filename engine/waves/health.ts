import type { ObservedObject } from './verdict.ts';

/**
 * `healthy` of an entry of status.waves (waves.md, axis A, 9): true when all objects are Healthy, false when one has another
 * state, undefined while one has no state for this render.
 */
export function waveHealth(objects: readonly ObservedObject[]): boolean | undefined {
  if (objects.some(({ health }) => health !== undefined && health.state !== 'Healthy')) return false;
  return objects.every(({ health }) => health !== undefined) ? true : undefined;
}
