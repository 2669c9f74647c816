import { RESOURCES } from '../../api/group.ts';
import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import { orderProblems } from '../../engine/plan/order.ts';
import { type Plan, planOf } from '../../engine/plan/plan.ts';
import type { Rendered } from '../render/renderer.ts';
import { Halt } from './halt.ts';
import { refuseUnsupportedObjects } from './refuseUnsupported.ts';

/** Convoy's own record of what it has applied: a source that wrote it could make Convoy delete anything. */
const RECORD = RESOURCES.ReleaseInventory;

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
  const keys = objects.map(keyOf).filter(({ group, kind }) => group === RECORD.group && kind === RECORD.kind);
  if (keys.length === 0) return;
  const names = keys.slice(0, 10).map(describe).join(', ');
  throw new Halt(`${names}: a ReleaseInventory is written by Convoy alone – take it out of the source`, {
    reason: 'RenderFailed',
    stage: 'Render',
    resume: 'change',
  });
}
