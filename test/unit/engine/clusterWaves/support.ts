import type { ConditionType } from '../../../../api/conditions.ts';
import type { Condition, Release } from '../../../../api/release.ts';
import type { Standing } from '../../../../engine/clusterWaves/standing.ts';

type WaveStrategy = NonNullable<NonNullable<Release['spec']['syncPolicy']>['waveStrategy']>;

export const CREATED = '2026-05-01T09:00:00Z';
export const CHANGED = '2026-05-01T10:00:00Z';

interface Sketch {
  namespace?: string;
  cluster?: string;
  waveStrategy?: WaveStrategy;
  generation?: number;
  conditions?: Condition[];
  isGoing?: boolean;
}

/** A Release as the controller reads it: of generation 2, unless told otherwise. */
export function releaseOf(name: string, sketch: Sketch = {}): Release {
  const { namespace = 'apps', cluster, waveStrategy, generation = 2, conditions, isGoing = false } = sketch;
  const deletion = isGoing ? { deletionTimestamp: CHANGED } : {};
  return {
    apiVersion: 'core.convoy.kumodo.io/v1alpha1',
    kind: 'Release',
    metadata: { name, namespace, uid: name, generation, creationTimestamp: CREATED, ...deletion },
    spec: {
      source: { inline: '' },
      ...(cluster === undefined ? {} : { clusterRef: { name: cluster } }),
      ...(waveStrategy === undefined ? {} : { syncPolicy: { waveStrategy } }),
    },
    ...(conditions === undefined ? {} : { status: { conditions } }),
  };
}

/** `Applied True Applied`, seen for generation 2. */
export function conditionOf(text: string, observedGeneration = 2, lastTransitionTime = CHANGED): Condition {
  const [type = '', status = '', reason = ''] = text.split(' ');
  return {
    type: type as ConditionType,
    status: status as Condition['status'],
    reason: reason as Condition['reason'],
    message: '',
    lastTransitionTime,
    observedGeneration,
  };
}

/** All is well with it, unless told otherwise. */
export function standing(name: string, changes: Partial<Standing> = {}): Standing {
  return { name, wave: 0, isApplied: true, isHealthy: true, changedAt: 0, why: '', ...changes };
}
