import { rendersToKeep } from '../../engine/rollout/keep.ts';
import type { Rendered } from '../render/rendered.ts';
import { releaseKey } from '../services.ts';
import { conditionOf } from './conditions.ts';
import type { Reconcile } from './reconcileRun.ts';

/**
 * Puts the render into the store before it is applied, so that the Release can go back to it. Where that fails the render is
 * applied all the same: going on must not depend on being able to go back.
 */
export async function keepRender(run: Reconcile, rendered: Rendered): Promise<void> {
  const { services, release, signal } = run;
  try {
    await services.renders.keep(release, rendered);
  } catch (error) {
    signal.throwIfAborted();
    warn(run, 'RenderNotStored', `the Release cannot go back to render ${rendered.renderRef}`, error);
  }
}

/**
 * Removes the renders that nothing names any more, once a render is applied and that is written down; never in the course of a
 * rollback. What is left is tried again later.
 */
export async function collectRenders(run: Reconcile): Promise<void> {
  const { services, release, draft, signal } = run;
  const applied = conditionOf(draft.status.conditions, 'Applied');
  if (applied?.status !== 'True' || applied.reason === 'RolledBack') return;
  try {
    await services.renders.collect(release, rendersToKeep(release, draft.status));
  } catch (error) {
    signal.throwIfAborted();
    warn(run, 'RendersNotCollected', 'renders that are not needed any more are left in the store', error);
  }
}

function warn({ services, release }: Reconcile, reason: string, what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  services.log.warn({ release: releaseKey(release), err: error }, what);
  services.events.record({
    regarding: release,
    type: 'Warning',
    reason,
    action: 'Store',
    message: `${what}: ${why}`,
  });
}
