import type { ReleaseRender } from '../../engine/render/releaseRender.ts';

/** Up to here a reconcile is mostly waiting for answers, and hundreds take little memory. */
const LIGHT = { objects: 100, characters: 64 * 1024 };

/** The objects that are to be applied. */
export interface Rendered extends ReleaseRender {
  /** As a store keeps it; absent where it comes from one. */
  packed?: Uint8Array;
}

/** Whether many renders like this can be worked on at once. */
export function isLight({ bodies }: Pick<Rendered, 'bodies'>): boolean {
  if (bodies.size > LIGHT.objects) return false;
  const characters = Array.from(bodies.values(), ({ text }) => text.length);
  return characters.reduce((sum, length) => sum + length, 0) <= LIGHT.characters;
}
