import type { SyncStrategy } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import { type Plan, planOf } from '../../engine/plan/plan.ts';
import { recordProblem } from '../../engine/plan/records.ts';
import type { ReleaseRender } from '../../engine/render/releaseRender.ts';
import { Halt } from './halt.ts';
import { refuseUnsupportedObjects } from './refuseUnsupported.ts';

/** The plan of a render that is kept, as long as it is. */
const plans = new WeakMap<ReleaseRender, { configured: SyncStrategy | undefined; plan: Plan }>();

/**
 * Turns the render into waves and stages.
 * @param defaultStrategy `spec.syncPolicy.defaultStrategy`
 * @throws Halt `Unsupported`, `RenderFailed` for what only Convoy writes, `OrderInvalid` naming both objects
 */
export function planRender(rendered: ReleaseRender, defaultStrategy: SyncStrategy | undefined): Plan {
  const kept = plans.get(rendered);
  if (kept !== undefined && kept.configured === defaultStrategy) return kept.plan;
  const plan = planObjects(rendered.objects, defaultStrategy);
  plans.set(rendered, { configured: defaultStrategy, plan });
  return plan;
}

function planObjects(objects: readonly KubeObject[], defaultStrategy: SyncStrategy | undefined): Plan {
  refuseUnsupportedObjects(objects);
  refuseRecords(objects);
  const problems = orderProblems(objects);
  if (problems.length > 0) {
    throw new Halt(problems.join('\n'), { reason: 'OrderInvalid', stage: 'Order', resume: 'change' });
  }
  return planOf(objects, defaultStrategy);
}

function refuseRecords(objects: readonly KubeObject[]): void {
  const problem = recordProblem(objects);
  if (problem === undefined) return;
  throw new Halt(problem, { reason: 'RenderFailed', stage: 'Render', resume: 'change' });
}
