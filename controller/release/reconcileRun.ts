import type { Release } from '../../api/release.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { RolloutHealth } from '../../engine/rollout/rollout.ts';
import type { Redaction } from '../../engine/source/redaction.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { InventoryStore } from '../inventory/store.ts';
import type { Rendered } from '../render/rendered.ts';
import type { Services } from '../services.ts';
import type { StatusDraft } from './statusDraft.ts';

/** What one reconcile carries from step to step. */
export interface Reconcile {
  services: Services;
  /** As it was read or last written. */
  release: Release;
  draft: StatusDraft;
  signal: AbortSignal;
  /** Applied to all that is told of the Release. */
  redaction: Redaction;
  /** Its render is small; undefined before it is known. */
  isLight: boolean | undefined;
  /** What the apply has left of health. */
  assessed: RolloutHealth | undefined;
  /** Objects that differ from the render that stands applied, and are left so until a request (manual mode). */
  drifted: number;
  /** When to look again whatever happens, milliseconds of the epoch; undefined: events tell. */
  lookAt: number | undefined;
  /** When to write what of the inventory is left unwritten, milliseconds of the epoch; undefined: nothing is. */
  writeAt: number | undefined;
}

/** The render that is applied, and what is known of the objects of the Release. */
export interface CurrentRender {
  plan: Plan;
  rendered: Rendered;
  revision: string;
  store: InventoryStore;
  inventory: Inventory;
}
