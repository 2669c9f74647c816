import pMap from 'p-map';
import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import { describe, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { isOwnedBy, isOwnedByAnother } from '../../api/ownership.ts';
import type { Release } from '../../api/release.ts';
import { adoptionObstacle } from '../../engine/plan/adoption.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import { entryKey, type Inventory } from '../inventory/inventory.ts';
import { Halt } from '../release/halt.ts';
import { CONCURRENCY } from './concurrency.ts';

export interface AdoptionRun {
  target: TargetCluster;
  /** Where Releases and their inventories live. */
  home: KubeClient;
  release: Release;
  inventory: Inventory;
  /** UIDs that it holds. */
  known: ReadonlySet<string>;
  /** Objects that may be somebody else's. */
  objects: readonly PlannedObject[];
}

/**
 * Looks at objects that this Release may not take, before anything is applied: by their `adoption-policy`, and by whose
 * inventory lists them, where their labels say to look (apply.md, ownership). Nothing is ever fought over.
 * @throws Halt `OwnershipConflict` naming each object, whose it is and what to do
 */
export async function refuseOwned(run: AdoptionRun): Promise<void> {
  const obstacles = await pMap(run.objects, (planned) => obstacleTo(run, planned), {
    concurrency: CONCURRENCY,
  });
  const lines = obstacles.filter((line) => line !== undefined);
  if (lines.length === 0) return;
  const shown = lines.slice(0, NAMED);
  if (lines.length > NAMED) shown.push(`and ${lines.length - NAMED} more`);
  throw new Halt(`${shown.join('\n')}\nnothing was applied`, {
    reason: 'OwnershipConflict',
    stage: 'DryRun',
    resume: 'retry',
  });
}

/** Objects that a message names before it only counts. */
const NAMED = 10;

/** Why an object may not be applied; undefined where it may. */
async function obstacleTo(
  run: AdoptionRun,
  { key, adoptionPolicy }: PlannedObject,
): Promise<string | undefined> {
  const live = await readLive(run.target, key);
  if (live === undefined) return undefined;
  const isOurs = isKnown(run, key, live);
  const owner = await otherOwner(run, key, live);
  const obstacle = adoptionObstacle({ adoptionPolicy, live, isOurs, owner });
  return obstacle === undefined ? undefined : `${describe(key)} ${obstacle}`;
}

/** Applied by this Release, under whatever key, or about to be when it was interrupted. */
function isKnown({ release, inventory, known }: AdoptionRun, key: ObjectKey, live: KubeObject): boolean {
  if (known.has(live.metadata.uid ?? '')) return true;
  return inventory.get(key) !== undefined && isOwnedBy(live, release);
}

/** `name in namespace` of the other Release whose inventory lists the object; undefined where there is none. */
async function otherOwner(
  { home, release }: AdoptionRun,
  key: ObjectKey,
  live: KubeObject,
): Promise<string | undefined> {
  if (!isOwnedByAnother(live, release)) return undefined;
  const name = live.metadata.labels?.[RELEASE_LABEL] ?? '';
  const namespace = live.metadata.labels?.[RELEASE_NAMESPACE_LABEL] ?? '';
  if (namespace === '') return undefined;
  const labelSelector = `${RELEASE_LABEL}=${name}`;
  const { items } = await home.listAll<ReleaseInventory>(RESOURCES.ReleaseInventory, {
    namespace,
    labelSelector,
  });
  const id = keyString(key);
  const isListed = items.some(({ spec }) => spec.entries.some((entry) => keyString(entryKey(entry)) === id));
  return isListed ? `${name} in ${namespace}` : undefined;
}

async function readLive(
  { client, discovery }: TargetCluster,
  key: ObjectKey,
): Promise<KubeObject | undefined> {
  const resource = await discovery.resourceFor(key.group, key.kind);
  if (resource === undefined) return undefined;
  return await client.get(resource, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}
