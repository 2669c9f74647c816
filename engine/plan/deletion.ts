import type { StageName } from '../../api/inventory.ts';
import type { ObjectKey } from '../../api/object.ts';
import { compareKeys } from '../render/canonical.ts';
import { STAGE_ORDER, stageOf } from './stage.ts';

/** What the inventory knows of an object that is to be deleted. */
export interface DeletionEntry extends ObjectKey {
  /** The stage that it was applied in; absent: that of its kind. */
  stage?: StageName;
  deleteOrder?: number;
}

export interface DeletionStage<E> {
  name: StageName;
  /** Deleted concurrently. */
  entries: E[];
}

export interface DeletionWave<E> {
  deleteOrder: number;
  /** In the order of deletion; none is empty. */
  stages: DeletionStage<E>[];
}

/** A Namespace takes all its content with it, a CustomResourceDefinition all its instances. */
const MIRRORED: readonly StageName[] = STAGE_ORDER.toReversed();

/**
 * Orders deletions by ascending delete-order, and inside of one in mirror of the stages (waves.md, "Delete waves").
 * A Namespace, or a CRD, of a lower delete-order than an object in it waits for that object's wave.
 * @param kept what the inventory lists and is to stay: a Namespace that holds any of it is left out (`namespacesInUse`)
 */
export function planDeletion<E extends DeletionEntry>(
  entries: readonly E[],
  kept: readonly ObjectKey[] = [],
): DeletionWave<E>[] {
  const inUse = new Set<E>(namespacesInUse(entries, kept));
  const deleted = entries.filter((entry) => !inUse.has(entry)).sort(compareKeys);
  const latest = latestOrders(deleted);
  return [...Map.groupBy(deleted, (entry) => orderOf(entry, latest))]
    .sort(([a], [b]) => a - b)
    .map(([deleteOrder, inWave]) => ({ deleteOrder, stages: toStages(inWave) }));
}

/** @returns those of the entries that are Namespaces with an object that is kept in them: they must not be deleted */
export function namespacesInUse<E extends DeletionEntry>(
  entries: readonly E[],
  kept: readonly ObjectKey[],
): E[] {
  const used = new Set(kept.map(({ namespace }) => namespace));
  return entries.filter((entry) => isNamespace(entry) && used.has(entry.name));
}

/** The last delete-order of what lives in each namespace, and of the instances in each API group. */
interface LatestOrders {
  inNamespace: Map<string, number>;
  ofGroup: Map<string, number>;
}

function latestOrders(entries: readonly DeletionEntry[]): LatestOrders {
  const latest: LatestOrders = { inNamespace: new Map(), ofGroup: new Map() };
  for (const entry of entries) {
    const { namespace, group, deleteOrder = 0 } = entry;
    if (namespace !== '') raise(latest.inNamespace, namespace, deleteOrder);
    if (stageOfEntry(entry) === 'Instances') raise(latest.ofGroup, group, deleteOrder);
  }
  return latest;
}

function orderOf(entry: DeletionEntry, { inNamespace, ofGroup }: LatestOrders): number {
  const { deleteOrder = 0 } = entry;
  if (isNamespace(entry)) return Math.max(deleteOrder, inNamespace.get(entry.name) ?? deleteOrder);
  if (!isDefinition(entry)) return deleteOrder;
  // A CRD is named <plural>.<group>; the inventory does not know which kind the plural is of.
  const group = entry.name.slice(entry.name.indexOf('.') + 1);
  return Math.max(deleteOrder, ofGroup.get(group) ?? deleteOrder);
}

function toStages<E extends DeletionEntry>(entries: readonly E[]): DeletionStage<E>[] {
  const byStage = Map.groupBy(entries, stageOfEntry);
  return MIRRORED.flatMap((name) => {
    const inStage = byStage.get(name);
    return inStage === undefined ? [] : [{ name, entries: inStage }];
  });
}

function stageOfEntry(entry: DeletionEntry): StageName {
  return entry.stage ?? stageOf(entry);
}

function isNamespace({ group, kind }: ObjectKey): boolean {
  return group === '' && kind === 'Namespace';
}

function isDefinition({ group, kind }: ObjectKey): boolean {
  return group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

function raise(orders: Map<string, number>, key: string, order: number): void {
  orders.set(key, Math.max(order, orders.get(key) ?? order));
}
