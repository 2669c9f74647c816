import { RenderUnreadable } from '../../api/packedRender.ts';
import type { RenderStore } from './renderStore.ts';

/** Keeps nothing (`--render-store none`): no Release can go back. */
export const NO_STORE: RenderStore = {
  isOutside: false,
  put: () => Promise.resolve(),
  get: (_, renderRef) =>
    Promise.reject(
      new RenderUnreadable(
        `render ${renderRef} is not kept, since the controller has no render store (--render-store none)`,
      ),
    ),
  held: () => Promise.resolve([]),
  collect: () => Promise.resolve(0),
  close: () => Promise.resolve(),
};
