import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';
import { type PackedRender, RenderUnreadable } from './renderStore.ts';

/** A render is at most 64 Mi characters of source; more than this comes from nobody's render (bytes). */
const MAX_UNPACKED = 256 * 1024 * 1024;

const decompress = promisify(zstdDecompress);

/** @param text canonical JSON of a render, whose digest is `renderRef` */
export function packRender(renderRef: string, text: string): PackedRender {
  return { renderRef, packed: zstdCompressSync(text) };
}

/**
 * The text of a packed render.
 * @throws RenderUnreadable where it is not what its digest says
 */
export async function unpackRender({ renderRef, packed }: PackedRender): Promise<string> {
  const bytes = await decompress(packed, { maxOutputLength: MAX_UNPACKED }).catch((error: unknown) => {
    throw corrupt(renderRef, error instanceof Error ? error.message : String(error));
  });
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (digest !== renderRef) throw corrupt(renderRef, `its digest is ${digest}`);
  return bytes.toString('utf8');
}

function corrupt(renderRef: string, why: string): RenderUnreadable {
  return new RenderUnreadable(
    `render ${renderRef}: what the render store holds is corrupt (${why}): it is not applied. ` +
      'Sync the source that it came from, or pin another render',
  );
}
