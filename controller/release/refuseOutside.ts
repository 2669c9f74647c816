import { describe } from '../../api/object.ts';
import { objectsOfPlan, type Plan } from '../../engine/plan/plan.ts';
import type { TargetCluster } from '../cluster.ts';
import { Halt } from './halt.ts';

/** Objects that the message names before it only counts. */
const NAMED = 10;

/**
 * A controller that keeps to one namespace sees nothing of what is elsewhere: what it applied there would never be put right,
 * and never become healthy (operations.md, "In one namespace").
 * @throws Halt `AccessDenied` naming each object that is elsewhere
 */
export function refuseOutside({ onlyNamespace }: TargetCluster, plan: Plan): void {
  if (onlyNamespace === undefined) return;
  const outside = objectsOfPlan(plan).filter(({ key }) => key.namespace !== onlyNamespace);
  if (outside.length === 0) return;
  const lines = outside
    .slice(0, NAMED)
    .map(
      ({ key }) =>
        `${describe(key)}: it is ${key.namespace === '' ? 'of the whole cluster' : 'in another namespace'}`,
    );
  if (outside.length > NAMED) lines.push(`and ${outside.length - NAMED} more`);
  const why = `the controller keeps to namespace ${onlyNamespace} (--namespace); nothing was applied`;
  throw new Halt([...lines, why].join('\n'), { reason: 'AccessDenied', stage: 'DryRun', resume: 'change' });
}
