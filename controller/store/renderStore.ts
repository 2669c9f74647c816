import type { PackedRender } from '../../api/packedRender.ts';
import type { RenderOwner } from '../../kube/renderSecrets.ts';

/**
 * Keeps renders by their digest, so that a Release can go back to one (rollout.md, "Render store"). What was put under a
 * digest never changes. Errors of whatever it keeps them in are thrown as they are.
 */
export interface RenderStore {
  /** Outside of the cluster, which removes nothing there with the Release. */
  readonly isOutside: boolean;
  /**
   * Keeps a render; again and at the same time by another process is no harm, and mends one that is incomplete.
   * @throws RenderTooLarge
   */
  put(owner: RenderOwner, render: PackedRender): Promise<void>;
  /**
   * @returns the canonical JSON of the render, whose digest was verified
   * @throws RenderUnreadable where it is not there, incomplete or not what its digest says
   */
  get(owner: RenderOwner, renderRef: string): Promise<string>;
  /** Digests of the renders that are there completely, in order. */
  held(owner: RenderOwner): Promise<string[]>;
  /** Removes all but these. @returns how many renders went, in whole or in part */
  collect(owner: RenderOwner, keep: ReadonlySet<string>): Promise<number>;
  close(): Promise<void>;
}

/** A render is over the limit of the store. */
export class RenderTooLarge extends Error {
  override name = 'RenderTooLarge';
}
