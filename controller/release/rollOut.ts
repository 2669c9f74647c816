import type { ReleaseStatus } from '../../api/release.ts';
import type { SyncRequest } from '../../api/syncRequest.ts';
import { objectsOfPlan } from '../../engine/plan/plan.ts';
import type { Wanted } from '../../engine/rollout/decide.ts';
import { SyncHooks } from '../hooks/syncHooks.ts';
import { releaseKey } from '../services.ts';
import { applyRender } from './applyRender.ts';
import { passClusterWave } from './clusterWave.ts';
import { type Halt, haltOf } from './halt.ts';
import type { CurrentRender, Reconcile } from './reconcileRun.ts';
import { rollBack } from './rollBack.ts';
import { RolloutStep } from './rolloutStep.ts';
import { standStill } from './standStill.ts';
import { requestApplied, requestRolledBack } from './syncRequest.ts';
import { testRender } from './testRender.ts';

/** The sync request that was taken in this reconcile, and the one that authorises the render. */
interface Requests {
  taken: SyncRequest | undefined;
  active: NonNullable<ReleaseStatus['sync']>['active'];
}

/**
 * Decides the rollout, then applies what it asks for: the render, or the last healthy one in place of it.
 * @throws Halt of the step that ended it
 */
export async function rollOut(
  run: Reconcile,
  current: CurrentRender,
  { taken, active }: Requests,
): Promise<void> {
  const { draft, services, release } = run;
  if (taken !== undefined) services.observer.doubt(releaseKey(release));
  const asked = { isForced: taken?.force === true, isAuthorised: active !== undefined };
  const rollout = new RolloutStep(run, current, asked);
  const hooks = new SyncHooks(run, current, active?.id);
  await hooks.observe();
  let wanted = await rollout.decide();
  if (wanted.what === 'render')
    wanted = await hooks.during(() => bringRender(run, current, { rollout, hooks }, active?.force === true));
  else if (wanted.what === 'nothing') {
    await hooks.goOn();
    wanted = await standStill(run, current, rollout);
  }
  const { failure = '' } = rollout;
  if (wanted.what === 'lastHealthy') {
    requestRolledBack(draft.status, failure);
    await hooks.rolledBack();
    await rollBack(run, current, failure);
  } else if (wanted.what === 'render') {
    requestApplied(draft.status);
  }
  if (failure !== '') draft.failed({ stage: 'Rollout', message: failure });
}

/**
 * @returns what is to be applied now: the render is, or it has failed and the last healthy one has to be
 * @throws Halt
 */
async function bringRender(
  run: Reconcile,
  current: CurrentRender,
  { rollout, hooks }: { rollout: RolloutStep; hooks: SyncHooks },
  isForced: boolean,
): Promise<Wanted> {
  const { services, release, signal } = run;
  const { plan, inventory } = current;
  const follow = (): Promise<void> =>
    services.observer.follow(releaseKey(release), objectsOfPlan(plan), (key) => inventory.get(key), signal);
  await passClusterWave(run, current, follow);
  await testRender(run, current, { isForced, followed: follow() });
  await hooks.preSync();
  run.draft.reachWaves(inventory.isListedFor(current.rendered.renderRef));
  rollout.begin();
  const halt = await haltIn(applyRender(run, current), signal);
  const wanted = await rollout.settle(halt);
  if (halt !== undefined && wanted.what !== 'lastHealthy') throw rollout.told(halt);
  if (wanted.what !== 'lastHealthy') await hooks.postSync();
  return wanted;
}

/** What ended a step early; undefined where nothing did. @throws what says nothing about the Release */
async function haltIn(step: Promise<void>, signal: AbortSignal): Promise<Halt | undefined> {
  try {
    await step;
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return haltOf(error);
  }
}
