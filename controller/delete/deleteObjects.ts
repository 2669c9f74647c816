import pMap from 'p-map';
import type { InventoryEntry } from '../../api/inventory.ts';
import { describe, keyString, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { type DeletionStage, planDeletion } from '../../engine/plan/deletion.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { CONCURRENCY } from '../apply/wavePass.ts';
import { problemLines, problemOf, type Problem } from '../apply/problem.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey, type Inventory } from '../inventory/inventory.ts';
import { type Deletable, judge } from './judge.ts';
import { awaitGone, blockers } from './gone.ts';
import { foreignInstances } from './foreignInstances.ts';

/** How long objects that are going are awaited in place before the Release holds (ms). */
const BRIEF_WAIT_MS = 10_000;

export interface DeleteRun {
  cluster: TargetCluster;
  release: Release;
  inventory: Inventory;
  entries: InventoryEntry[];
  signal: AbortSignal;
  /** Told of each object that is left on purpose, and why. */
  onLeft: (key: ObjectKey, why: string) => void;
  /** Told of each object that is gone from the cluster. */
  onGone: (key: ObjectKey) => void;
  wakeWhen: (gone: (signal: AbortSignal) => Promise<void>) => void;
}

/** What stands in the way, when not all could be removed. */
export interface Obstacle {
  message: string;
  /** `event`: a watch tells when it is gone; `retry`: to be tried again; `change`: somebody has to act. */
  resume: 'event' | 'retry' | 'change';
}

/**
 * Deletes the entries' objects in delete waves, in each in mirror of the stages; the next begins when all of the one
 * before are gone (404), not merely being deleted (waves.md, "Delete waves"). What is gone or not ours leaves the
 * inventory at once; the caller writes it. Every step can run twice.
 * @returns what stands in the way, or undefined when nothing is left
 */
export async function deleteObjects(run: DeleteRun): Promise<Obstacle | undefined> {
  const leaving = new Set(run.entries.map((entry) => keyString(entryKey(entry))));
  const kept = run.inventory
    .entries()
    .map(entryKey)
    .filter((key) => !leaving.has(keyString(key)));
  for (const wave of planDeletion(run.entries, kept)) {
    for (const stage of wave.stages) {
      const obstacle = await deleteStage(run, stage);
      if (obstacle !== undefined) return obstacle;
    }
  }
  return undefined;
}

async function deleteStage(
  run: DeleteRun,
  stage: DeletionStage<InventoryEntry>,
): Promise<Obstacle | undefined> {
  const deletable = await sortOut(run, stage.entries);
  const kept = await keepSharedTypes(run, deletable);
  const sent = await pMap(
    deletable.filter((target) => !kept.problems.some((problem) => problem.key === target.key)),
    (target) => send(run, target),
    { concurrency: CONCURRENCY },
  );
  const problems = sent.flatMap((result) => (result.problem === undefined ? [] : [result.problem]));
  const going = sent.flatMap((result) => (result.going === undefined ? [] : [result.going]));
  const remaining = await awaitGone(
    run.cluster,
    going,
    AbortSignal.any([run.signal, AbortSignal.timeout(BRIEF_WAIT_MS)]),
  );
  run.signal.throwIfAborted();
  for (const target of going) if (!remaining.includes(target)) gone(run, target.key);
  return obstacleOf(run, [...kept.problems, ...problems], remaining);
}

/** Drops from the inventory what is gone or not ours, and gives what is to be deleted. */
async function sortOut(run: DeleteRun, entries: readonly InventoryEntry[]): Promise<Deletable[]> {
  const verdicts = await judge(run.cluster, run.release, entries, run.signal);
  return verdicts.flatMap((verdict) => {
    switch (verdict.verdict) {
      case 'gone':
        gone(run, entryKey(verdict.entry));
        return [];
      case 'left':
        left(run, entryKey(verdict.entry), verdict.why);
        return [];
      case 'delete':
        return [{ key: entryKey(verdict.entry), resource: verdict.resource, live: verdict.live }];
    }
  });
}

/** A CRD takes all its instances with it: one with instances of somebody else is never deleted. */
async function keepSharedTypes(run: DeleteRun, targets: Deletable[]): Promise<{ problems: Problem[] }> {
  const deletingRelease = run.release.metadata.deletionTimestamp !== undefined;
  const problems: Problem[] = [];
  for (const target of targets) {
    const count = await foreignInstances(run.cluster, target.live, run.signal);
    if (count === 0) continue;
    const why = `${count} instances of it exist that this Release did not apply`;
    if (deletingRelease) left(run, target.key, why);
    problems.push({
      key: target.key,
      message: `${describe(target.key)}: kept, ${why} – delete them, or annotate the CRD convoy.kumodo.io/prune: disabled before it leaves the source`,
      retryable: true,
      forbidden: false,
      retryAfterMs: undefined,
      error: undefined,
    });
  }
  return { problems };
}

/** Deletes with the UID that was seen: an object made anew by somebody else survives. */
async function send(run: DeleteRun, target: Deletable): Promise<{ going?: Deletable; problem?: Problem }> {
  const { key, resource, live } = target;
  if (live.metadata.deletionTimestamp !== undefined) return { going: target };
  try {
    const options = {
      ...(live.metadata.uid === undefined ? {} : { uid: live.metadata.uid }),
      propagationPolicy: 'Background' as const,
    };
    const rest = await run.cluster.client.delete(
      resource,
      { namespace: key.namespace, name: key.name },
      { ...options, signal: run.signal },
    );
    if (rest !== undefined) return { going: { ...target, live: rest } };
    gone(run, key);
    return {};
  } catch (error) {
    run.signal.throwIfAborted();
    if (isNotFound(error)) {
      gone(run, key);
      return {};
    }
    if (isConflict(error)) {
      left(run, key, 'it was deleted and made anew by somebody else');
      return {};
    }
    return { problem: problemOf(key, error) };
  }
}

function obstacleOf(run: DeleteRun, problems: Problem[], remaining: Deletable[]): Obstacle | undefined {
  const real = problems.filter((problem) => run.inventory.get(problem.key) !== undefined);
  if (real.length > 0) {
    return {
      message: problemLines(real),
      resume: real.some((problem) => problem.retryable) ? 'retry' : 'change',
    };
  }
  if (remaining.length === 0) return undefined;
  run.wakeWhen(async (signal) => {
    await awaitGone(run.cluster, remaining, signal);
  });
  return { message: blockers(remaining.map(({ live }) => live)), resume: 'event' };
}

function gone(run: DeleteRun, key: ObjectKey): void {
  run.inventory.drop(key);
  run.onGone(key);
}

function left(run: DeleteRun, key: ObjectKey, why: string): void {
  run.inventory.drop(key);
  run.onLeft(key, why);
}
