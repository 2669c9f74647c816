import { clusterWaveMessage } from '../../engine/clusterWaves/message.ts';
import { placeOf } from '../../engine/clusterWaves/place.ts';
import { Halt } from './halt.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { assessHealth, isAssessed } from './renderHealth.ts';

/**
 * Lets a Release be applied when those of lower waves on its cluster are there, or not (waves.md, axis B). What is applied of
 * it already is left as it is meanwhile, and its health is still told.
 * @param follow ends when the observer knows what is there of the objects
 * @throws Halt `WaitingForClusterWave` until they are; `ClusterWaveFailed` where they were not in time
 */
export async function passClusterWave(
  run: Reconcile,
  current: CurrentRender,
  follow: () => Promise<void>,
): Promise<void> {
  const closed = closedClusterWave(run);
  if (closed === undefined) return;
  const { rendered, store, inventory } = current;
  if (isAssessed(run.release) && inventory.isListedFor(rendered.renderRef)) {
    await follow();
    assessHealth(run, current);
    run.writeAt = await store.writeInTime(inventory, run.services.now().getTime());
  }
  throw closed;
}

function closedClusterWave({ services, release }: Reconcile): Halt | undefined {
  const verdict = services.clusterWaves.judge(release, services.now().getTime());
  if (verdict.gate === 'open') return undefined;
  const message = clusterWaveMessage(verdict, placeOf(release));
  const { until } = verdict;
  if (verdict.gate === 'failed')
    return new Halt(message, { reason: 'ClusterWaveFailed', stage: 'ClusterWave', resume: 'event' });
  const due = until === undefined ? {} : { dueAt: until };
  return new Halt(message, { reason: 'WaitingForClusterWave', resume: 'event', ...due });
}
