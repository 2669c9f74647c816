import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import { keyString, type KubeObject } from '../../api/object.ts';
import { isOwnedBy, isOwnedByAnother } from '../../api/ownership.ts';
import { adoptionObstacle } from '../../engine/plan/adoption.ts';
import type { PlannedObject } from '../../engine/plan/plan.ts';
import { type DiffRun, entryOf } from './run.ts';

/** Whose a live object is. */
export interface Ownership {
  isOurs: boolean;
  /** Why a sync would not take it. */
  obstacle: string | undefined;
}

/**
 * Finds out whether a sync may take a live object, as the controller does: by the inventory that lists it, and by its
 * `adoption-policy`.
 * @throws ApiError where the inventory that its labels lead to may not be read
 */
export async function ownershipOf(
  run: DiffRun,
  { key, adoptionPolicy }: PlannedObject,
  live: KubeObject,
): Promise<Ownership> {
  const uid = live.metadata.uid ?? '';
  const entry = entryOf(run, key);
  const isOurs =
    run.uids.has(uid) || ((entry !== undefined || !run.isInventoryKnown) && isOwnedBy(live, run.release));
  const owner = isOwnedByAnother(live, run.release) ? await otherOwner(run, key, live) : undefined;
  return { isOurs, obstacle: adoptionObstacle({ adoptionPolicy, live, isOurs, owner }) };
}

async function otherOwner(
  { session }: DiffRun,
  key: PlannedObject['key'],
  { metadata }: KubeObject,
): Promise<string | undefined> {
  const { [RELEASE_LABEL]: name = '', [RELEASE_NAMESPACE_LABEL]: namespace = '' } = metadata.labels ?? {};
  if (namespace === '') return undefined;
  const { items } = await session.client.listAll<ReleaseInventory>(RESOURCES.ReleaseInventory, {
    namespace,
    labelSelector: `${RELEASE_LABEL}=${name}`,
  });
  const id = keyString(key);
  const isListed = items.some(({ spec }) => spec.entries.some((entry) => keyString(entry) === id));
  return isListed ? `${name} in ${namespace}` : undefined;
}
