import pMap from 'p-map';
import { PRUNE, PRUNE_DISABLED } from '../../api/annotations.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { describe, keyString, type ObjectKey } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { type DeletionStage, namespacesInUse, planDeletion } from '../../engine/plan/deletion.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { CONCURRENCY } from '../apply/concurrency.ts';
import { problemLines, problemOf, type Problem } from '../apply/problem.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey, type Inventory } from '../inventory/inventory.ts';
import { type Deletable, judge } from './judge.ts';
import { awaitGone, blockers } from './gone.ts';
import { type Instances, instancesLeft, instancesText, NO_INSTANCES } from './instancesLeft.ts';
import { keptInside } from './keptInside.ts';

export interface DeleteRun {
  cluster: TargetCluster;
  release: Release;
  inventory: Inventory;
  entries: InventoryEntry[];
  /** How long each stage's objects are awaited in place until they are gone, before the Release holds (ms). */
  briefWaitMs: number;
  signal: AbortSignal;
  /** Makes the inventory take note of an object that is gone, or not ours. */
  settle: (key: ObjectKey) => void;
  /** Told of each object that is left on purpose, and why. */
  onLeft: (key: ObjectKey, why: string) => void;
  /** Told of each object that is gone from the cluster. */
  onGone: (key: ObjectKey) => void;
  wakeWhen: (gone: (signal: AbortSignal) => Promise<void>) => void;
}

/** What stands in the way, when not all could be removed. */
export interface Obstacle {
  message: string;
  /** `event`: a watch tells when it is gone; `retry`: to be tried again, since nothing tells when a refusal ends. */
  resume: 'event' | 'retry';
  /** The identity that deletes lacks a right. */
  isDenied?: boolean;
}

/** One run, and what it has found so far. */
interface Deletion extends DeleteRun {
  /** Objects that are left where they are on purpose. */
  left: ObjectKey[];
  keptUids: ReadonlySet<string>;
}

/**
 * Deletes the entries' objects in delete waves, in each in mirror of the stages; the next begins when all of the one
 * before are gone (404), not merely being deleted (waves.md, "Delete waves"). What is gone is settled at once, what is not
 * ours when all is done; the caller writes the inventory. Every step can run twice.
 * @returns what stands in the way, or undefined when nothing is left
 */
export async function deleteObjects(run: DeleteRun): Promise<Obstacle | undefined> {
  const kept = keptEntries(run);
  const deletion: Deletion = { ...run, left: [], keptUids: new Set(kept.flatMap(({ uid }) => uid ?? [])) };
  for (const wave of planDeletion(run.entries, kept.map(entryKey))) {
    for (const stage of wave.stages) {
      const obstacle = await deleteStage(deletion, stage);
      if (obstacle !== undefined) return obstacle;
    }
  }
  // Not before: however often this is interrupted, it is known what a Namespace is kept for.
  for (const key of deletion.left) run.settle(key);
  return undefined;
}

/** What the inventory lists and is to stay. */
function keptEntries({ inventory, entries }: DeleteRun): InventoryEntry[] {
  const leaving = new Set(entries.map((entry) => keyString(entryKey(entry))));
  return inventory.entries().filter((entry) => !leaving.has(keyString(entryKey(entry))));
}

async function deleteStage(
  run: Deletion,
  stage: DeletionStage<InventoryEntry>,
): Promise<Obstacle | undefined> {
  const candidates = await sortOut(run, leaveUsedNamespaces(run, stage.entries));
  const { free, inUse } = await sortOutTypes(run, await leaveKeepers(run, candidates));
  const sent = await pMap(free, (target) => send(run, target), { concurrency: CONCURRENCY });
  const problems = sent.flatMap((result) => (result.problem === undefined ? [] : [result.problem]));
  const going = sent.flatMap((result) => (result.going === undefined ? [] : [result.going]));
  const remaining = await awaitGone(
    run.cluster,
    going,
    AbortSignal.any([run.signal, AbortSignal.timeout(run.briefWaitMs)]),
  );
  run.signal.throwIfAborted();
  for (const target of going) if (!remaining.includes(target)) gone(run, target.key);
  return obstacleOf(run, { problems, remaining, inUse });
}

/** A Namespace takes with it what was left in it on purpose. */
function leaveUsedNamespaces(run: Deletion, entries: readonly InventoryEntry[]): InventoryEntry[] {
  const used = new Set(namespacesInUse(entries, run.left));
  for (const entry of used) {
    const inside = run.left.filter(({ namespace }) => namespace === entry.name);
    left(run, entryKey(entry), `${named(inside)} is left in it`);
  }
  return entries.filter((entry) => !used.has(entry));
}

/** The same for what was left in it long ago, and is listed no more. */
async function leaveKeepers(run: Deletion, targets: readonly Deletable[]): Promise<Deletable[]> {
  const free: Deletable[] = [];
  for (const target of targets) {
    const kept = await keptInside(run.cluster, target.live, run.signal);
    if (kept.length === 0) free.push(target);
    else left(run, target.key, `${named(kept)} in it says ${PRUNE}: ${PRUNE_DISABLED}`);
  }
  return free;
}

/** Notes what is gone or not ours, and gives what is to be deleted. */
async function sortOut(run: Deletion, entries: readonly InventoryEntry[]): Promise<Deletable[]> {
  const verdicts = await judge(run.cluster, run.release, entries, run.keptUids, run.signal);
  return verdicts.flatMap((verdict) => {
    switch (verdict.verdict) {
      case 'gone':
        gone(run, entryKey(verdict.entry));
        return [];
      case 'moved':
        run.settle(entryKey(verdict.entry));
        return [];
      case 'left':
        left(run, entryKey(verdict.entry), verdict.why);
        return [];
      case 'delete':
        return [{ key: entryKey(verdict.entry), resource: verdict.resource, live: verdict.live }];
    }
  });
}

interface TypeInUse {
  crd: Deletable;
  instances: Instances;
}

/**
 * A CRD takes all its instances with it: one with instances that are not to be deleted is kept. When the Release itself
 * goes, it is left behind; on prune it is waited for. One that somebody is deleting already takes them along whatever is done.
 */
async function sortOutTypes(
  run: Deletion,
  targets: Deletable[],
): Promise<{ free: Deletable[]; inUse: TypeInUse[] }> {
  const free: Deletable[] = [];
  const inUse: TypeInUse[] = [];
  for (const target of targets) {
    const isGoing = target.live.metadata.deletionTimestamp !== undefined;
    const instances = isGoing ? NO_INSTANCES : await instancesLeft(run.cluster, target.live, run.signal);
    if (instances.found.length === 0) free.push(target);
    else if (run.release.metadata.deletionTimestamp === undefined) inUse.push({ crd: target, instances });
    else left(run, target.key, instancesText(instances));
  }
  return { free, inUse };
}

/** Deletes with the UID that was seen: an object made anew by somebody else survives. */
async function send(run: Deletion, target: Deletable): Promise<{ going?: Deletable; problem?: Problem }> {
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
    if (isConflict(error) && (await isMadeAnew(run, target))) {
      left(run, key, 'it was deleted and made anew by somebody else');
      return {};
    }
    return { problem: problemOf(key, error, live) };
  }
}

/** A conflict alone does not tell: webhooks and Namespaces answer with it too. */
async function isMadeAnew(run: Deletion, { key, resource, live }: Deletable): Promise<boolean> {
  try {
    const now = await run.cluster.client.get(resource, key, { signal: run.signal });
    return now.metadata.uid !== live.metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function obstacleOf(
  run: Deletion,
  { problems, remaining, inUse }: { problems: Problem[]; remaining: Deletable[]; inUse: TypeInUse[] },
): Obstacle | undefined {
  const lines = [
    ...(problems.length === 0 ? [] : [problemLines(problems)]),
    ...inUse.map(
      ({ crd, instances }) =>
        `${describe(crd.key)} is kept: ${instancesText(instances)} – delete them, or annotate the CRD ${PRUNE}: ${PRUNE_DISABLED}`,
    ),
    ...(remaining.length === 0 ? [] : [blockers(remaining.map(({ live }) => live))]),
  ];
  if (lines.length === 0) return undefined;
  const awaited = [...remaining, ...inUse.flatMap(({ instances }) => instances.found)];
  if (awaited.length > 0) {
    run.wakeWhen(async (signal) => {
      await awaitGone(run.cluster, awaited, signal);
    });
  }
  return {
    message: lines.join('\n'),
    resume: problems.length > 0 ? 'retry' : 'event',
    isDenied: problems.some(({ forbidden }) => forbidden),
  };
}

function gone(run: Deletion, key: ObjectKey): void {
  run.settle(key);
  run.onGone(key);
}

function left(run: Deletion, key: ObjectKey, why: string): void {
  run.left.push(key);
  // What was announced stays so, however this goes on; and it keeps no Namespace.
  if (key.namespace === '') run.settle(key);
  run.onLeft(key, why);
}

/** The first few. */
function named(keys: readonly ObjectKey[]): string {
  return keys.map(describe).slice(0, 3).join(', ');
}
