import type { ObjectMeta } from '../../api/object.ts';

/** A render as it is kept: its canonical JSON, compressed. */
export interface PackedRender {
  /** `sha256:<hex>` of the canonical JSON. */
  renderRef: string;
  packed: Uint8Array;
}

/** The Release that renders belong to, by name, namespace and UID; also one that is gone. */
export interface RenderOwner {
  metadata: ObjectMeta;
}

/**
 * Keeps renders by their digest, so that a Release can go back to one (rollout.md, "Render store"). What was put under a
 * digest never changes. Errors of whatever it keeps them in are thrown as they are.
 */
export interface RenderStore {
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
}

/** A render cannot be had: the message says which, why, and what to do. */
export class RenderUnreadable extends Error {
  override name = 'RenderUnreadable';
}

/** A render is over the limit of the store. */
export class RenderTooLarge extends Error {
  override name = 'RenderTooLarge';
}
