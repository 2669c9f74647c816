import type { SyncStrategy } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';
import { renderHookProblems } from '../../engine/hooks/problems.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import { type Plan, planOf } from '../../engine/plan/plan.ts';
import { recordProblem } from '../../engine/plan/records.ts';
import type { ReleaseRender } from '../../engine/render/releaseRender.ts';
import { Halt } from './halt.ts';

/** The plan of a render that is kept, as long as it is. */
const plans = new WeakMap<ReleaseRender, { configured: SyncStrategy | undefined; plan: Plan }>();

/**
 * Turns the render into waves and stages.
 * @param defaultStrategy `spec.syncPolicy.defaultStrategy`
 * @throws Halt `RenderFailed` for what only Convoy writes and hooks that are no Jobs, `OrderInvalid` naming both objects
 */
export function planRender(rendered: ReleaseRender, defaultStrategy: SyncStrategy | undefined): Plan {
  const kept = plans.get(rendered);
  if (kept !== undefined && kept.configured === defaultStrategy) return kept.plan;
  const plan = planObjects(rendered.objects, defaultStrategy);
  plans.set(rendered, { configured: defaultStrategy, plan });
  return plan;
}

function planObjects(objects: readonly KubeObject[], defaultStrategy: SyncStrategy | undefined): Plan {
  refuseRecords(objects);
  const problems = orderProblems(objects);
  if (problems.length > 0) {
    throw new Halt(problems.join('\n'), { reason: 'OrderInvalid', stage: 'Order', resume: 'change' });
  }
  const plan = planOf(objects, defaultStrategy);
  refuseHooks(renderHookProblems(plan));
  return plan;
}

/**
 * What is wrong with the hooks is a fault of the render.
 * @throws Halt `RenderFailed`
 */
export function refuseHooks(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new Halt(problems.join('\n'), { reason: 'RenderFailed', stage: 'Render', resume: 'change' });
}

function refuseRecords(objects: readonly KubeObject[]): void {
  const problem = recordProblem(objects);
  if (problem === undefined) return;
  throw new Halt(problem, { reason: 'RenderFailed', stage: 'Render', resume: 'change' });
}
