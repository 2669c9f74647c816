import { RELEASE_LABEL } from '../../api/annotations.ts';
import { RenderUnreadable } from '../../api/packedRender.ts';
import type { Release } from '../../api/release.ts';
import { Inventory, entryKey } from '../inventory/inventory.ts';
import type { InventoryStore } from '../inventory/store.ts';
import type { Services } from '../services.ts';
import { conditionOf } from './conditions.ts';
import { listBeforeApply } from './listing.ts';
import { planRender } from './planRender.ts';

/**
 * Lists again what was lost with a shard that somebody deleted while nobody put it right (a Release that is suspended), before
 * a deletion relies on the inventory: the objects of the renders that were applied or begun last, as the store has them. They
 * have no UID, so that only those go whose labels and field managers prove them the Release's. Once a deletion is under way
 * shards are missing since it has removed them.
 */
export async function restoreInventory(
  services: Services,
  release: Release,
  { store, inventory }: { store: InventoryStore; inventory: Inventory },
): Promise<void> {
  const { status = {} } = release;
  const isUnderWay = conditionOf(status.conditions, 'Ready')?.reason === 'Deleting';
  if (isUnderWay || !store.isIncomplete) return;
  const renders = new Set([status.lastAttempted?.renderRef, status.lastSuccessful?.renderRef]);
  const unreadable: RenderUnreadable[] = [];
  for (const renderRef of renders) {
    if (renderRef === undefined) continue;
    try {
      for (const entry of (await entriesOf(services, release, renderRef)).entries())
        if (inventory.get(entryKey(entry)) === undefined) inventory.set(entry);
    } catch (error) {
      if (!(error instanceof RenderUnreadable)) throw error;
      unreadable.push(error);
    }
  }
  // One that was refused before it was applied is in no store.
  const [error] = unreadable;
  if (error !== undefined && inventory.size === 0) warn(services, release, error);
}

async function entriesOf(services: Services, release: Release, renderRef: string): Promise<Inventory> {
  const rendered = await services.renders.load(services.target, release, renderRef);
  const listed = new Inventory();
  listBeforeApply(listed, planRender(rendered, release.spec.syncPolicy?.defaultStrategy), renderRef);
  return listed;
}

function warn({ events, log }: Services, release: Release, error: RenderUnreadable): void {
  const { name, namespace } = release.metadata;
  const message =
    `somebody has deleted a part of the inventory, and what stood there cannot be told: ${error.message} – ` +
    `what is left behind has the label ${RELEASE_LABEL}=${name}: remove it by hand`;
  log.warn({ release: `${namespace ?? ''}/${name}`, err: error }, message);
  events.record({ regarding: release, type: 'Warning', reason: 'LeftBehind', action: 'Delete', message });
}
