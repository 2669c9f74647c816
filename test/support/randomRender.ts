import { createHash, randomBytes } from 'node:crypto';
import { type PackedRender, packRender } from '../../api/packedRender.ts';

/** A render whose text no compression makes smaller than about three quarters, with its text. */
export function randomRender(bytes: number): PackedRender & { text: string } {
  return renderOf(JSON.stringify([randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64')]));
}

export function renderOf(text: string): PackedRender & { text: string } {
  const renderRef = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return { ...packRender(renderRef, text), text };
}
