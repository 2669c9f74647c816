import type { CurrentRender, Reconcile } from './reconcileRun.ts';

/** Writes down what an apply has left, however it ended. */
export async function writeInventory(
  run: Reconcile,
  { store, inventory }: Pick<CurrentRender, 'store' | 'inventory'>,
): Promise<void> {
  const { services, signal, draft } = run;
  if (!signal.aborted) run.writeAt = await store.writeInTime(inventory, services.now().getTime());
  draft.inventory(inventory, store.shards);
}
