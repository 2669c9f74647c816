import { orderProblems } from '../../engine/plan/order.ts';
import { type Plan, planOf } from '../../engine/plan/plan.ts';
import type { Rendered } from '../render/renderer.ts';
import { Halt } from './halt.ts';
import { refuseUnsupportedObjects } from './refuseUnsupported.ts';

/**
 * Turns the render into waves and stages.
 * @throws Halt `Unsupported`, `OrderInvalid` naming both objects
 */
export function planRender({ objects }: Rendered): Plan {
  refuseUnsupportedObjects(objects);
  const problems = orderProblems(objects);
  if (problems.length > 0) {
    throw new Halt(problems.join('\n'), { reason: 'OrderInvalid', stage: 'Order', resume: 'change' });
  }
  return planOf(objects);
}
