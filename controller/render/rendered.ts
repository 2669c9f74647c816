import type { ReleaseRender } from '../../engine/render/releaseRender.ts';

/** The objects that are to be applied. */
export interface Rendered extends ReleaseRender {
  /** As a store keeps it; absent where it comes from one. */
  packed?: Uint8Array;
}
