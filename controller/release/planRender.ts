import type { KubeObject } from '../../api/object.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import { type Plan, planOf } from '../../engine/plan/plan.ts';
import { recordProblem } from '../../engine/plan/records.ts';
import type { Rendered } from '../render/renderer.ts';
import { Halt } from './halt.ts';
import { refuseUnsupportedObjects } from './refuseUnsupported.ts';

/**
 * Turns the render into waves and stages.
 * @throws Halt `Unsupported`, `RenderFailed` for what only Convoy writes, `OrderInvalid` naming both objects
 */
export function planRender({ objects }: Rendered): Plan {
  refuseUnsupportedObjects(objects);
  refuseRecords(objects);
  const problems = orderProblems(objects);
  if (problems.length > 0) {
    throw new Halt(problems.join('\n'), { reason: 'OrderInvalid', stage: 'Order', resume: 'change' });
  }
  return planOf(objects);
}

function refuseRecords(objects: readonly KubeObject[]): void {
  const problem = recordProblem(objects);
  if (problem === undefined) return;
  throw new Halt(problem, { reason: 'RenderFailed', stage: 'Render', resume: 'change' });
}
