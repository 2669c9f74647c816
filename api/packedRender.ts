import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';

/** A render as it is kept: its canonical JSON, compressed. */
export interface PackedRender {
  /** `sha256:<hex>` of the canonical JSON. */
  renderRef: string;
  packed: Uint8Array;
}

/** A render cannot be had: the message says which, why, and what to do. */
export class RenderUnreadable extends Error {
  override name = 'RenderUnreadable';
  /** The cause alone, for whoever has another remedy. */
  readonly why: string;

  constructor(message: string, why = message) {
    super(message);
    this.why = why;
  }
}

/** A render is at most 64 Mi characters of source; more than this comes from nobody's render (bytes). */
const MAX_UNPACKED = 256 * 1024 * 1024;

/** @param text canonical JSON of a render, whose digest is `renderRef` */
export function packRender(renderRef: string, text: string): PackedRender {
  return { renderRef, packed: zstdCompressSync(text) };
}

/**
 * The text of a packed render.
 * @throws RenderUnreadable where it is not what its digest says
 */
export async function unpackRender({ renderRef, packed }: PackedRender): Promise<string> {
  // Looked up at each call: what reads it on Node 20 is put there while the program starts.
  const decompress = promisify(zstdDecompress);
  const bytes = await decompress(packed, { maxOutputLength: MAX_UNPACKED }).catch((error: unknown) => {
    throw corrupt(renderRef, error instanceof Error ? error.message : String(error));
  });
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (digest !== renderRef) throw corrupt(renderRef, `its digest is ${digest}`);
  return bytes.toString('utf8');
}

function corrupt(renderRef: string, why: string): RenderUnreadable {
  const what = `what the render store holds is corrupt (${why})`;
  return new RenderUnreadable(
    `render ${renderRef}: ${what}: it is not applied. Sync the source that it came from, or pin another render`,
    what,
  );
}
