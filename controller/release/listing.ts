import { DEFAULT_DELETE_ORDER, DEFAULT_SYNC_STRATEGY } from '../../api/annotations.ts';
import { formatDuration } from '../../api/duration.ts';
import { keyString } from '../../api/object.ts';
import type { InventoryEntry } from '../../api/inventory.ts';
import { objectsOfPlan, type Plan } from '../../engine/plan/plan.ts';
import { entryKey, type Inventory } from '../inventory/inventory.ts';
import { versionOf } from '../../api/object.ts';

/** Lists every object of the plan, without a UID where it was never applied: the inventory is written before the first apply. */
export function listBeforeApply(inventory: Inventory, plan: Plan, renderRef: string): void {
  for (const planned of objectsOfPlan(plan)) {
    const { group, kind, namespace, name } = planned.key;
    const known = inventory.get(planned.key);
    const entry: InventoryEntry = {
      ...known,
      group,
      kind,
      namespace,
      name,
      version: versionOf(planned.object.apiVersion),
      wave: planned.wave,
      stage: planned.stage,
      strategy: planned.strategy,
      timeout: formatDuration(planned.timeoutMs),
      deleteOrder: planned.deleteOrder,
      renderRef,
    };
    // Absent stands for the default, which nearly all have.
    if (entry.strategy === DEFAULT_SYNC_STRATEGY) delete entry.strategy;
    if (entry.strategy !== 'waitForHealthyWithTimeout') delete entry.timeout;
    // Purged for another render: this one brings it back.
    if (known?.renderRef !== renderRef || planned.purgeOrder === undefined) delete entry.purged;
    if (entry.deleteOrder === DEFAULT_DELETE_ORDER) delete entry.deleteOrder;
    inventory.set(entry);
  }
}

/** Entries that the plan no longer has. */
export function redundantEntries(inventory: Inventory, plan: Plan): InventoryEntry[] {
  const wanted = new Set(objectsOfPlan(plan).map((planned) => keyString(planned.key)));
  return inventory.entries().filter((entry) => !wanted.has(keyString(entryKey(entry))));
}
