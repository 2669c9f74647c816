import type { HealthState } from '../../../../api/healthRules.ts';
import type { ObjectHealth, ObservedObject } from '../../../../engine/waves/verdict.ts';

/** A Deployment in a state; without one it has no state for the render. */
export function observed(
  name: string,
  state?: HealthState,
  { since = 0, message = '', ...more }: Partial<ObjectHealth> = {},
): ObservedObject {
  const key = { group: 'apps', kind: 'Deployment', namespace: 'shop', name };
  return { key, health: state === undefined ? undefined : { state, message, since, ...more } };
}
