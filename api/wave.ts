import { DEFAULT_SYNC_STRATEGY, DEFAULT_WAVE, ORDER_MAX, ORDER_MIN, SYNC_STRATEGIES } from './annotations.ts';
import { type FieldOptions, duration, integer, object, oneOf, optional } from './schema.ts';

export function waveNumber(description: string, options: FieldOptions = {}) {
  return integer(description, { minimum: ORDER_MIN, maximum: ORDER_MAX, ...options });
}

export function strategy(description: string, options: FieldOptions = {}) {
  return oneOf(description, SYNC_STRATEGIES, options);
}

/** Of a syncWave mutation: what is written on the objects. */
export const resourceWave = object('The wave annotations to write on the selected objects.', {
  wave: waveNumber('convoy.kumodo.io/sync-wave.'),
  strategy: strategy('convoy.kumodo.io/sync-strategy.'),
  timeout: optional(duration('convoy.kumodo.io/sync-timeout; without it that annotation is not written.')),
});

/** Of a Release among the Releases of its Cluster. */
export const clusterWave = object('The place of this Release among the Releases of the same Cluster.', {
  wave: optional(
    waveNumber('Every other Release with a lower number goes first.', { documentedDefault: DEFAULT_WAVE }),
  ),
  strategy: optional(
    strategy('What those must be before this one is applied.', { documentedDefault: DEFAULT_SYNC_STRATEGY }),
  ),
  timeout: optional(
    duration(
      'With waitForHealthyWithTimeout: how long to wait until this Release fails. Without it: no limit.',
    ),
  ),
});
