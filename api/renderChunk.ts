/** The type of a Secret can never be changed, so that a list by it misses none. */
export const RENDER_SECRET_TYPE = 'convoy.kumodo.io/render';

/** One of the Secrets that hold a render. Its name says all, so that labels and owners that somebody edits hide nothing. */
export interface Chunk {
  renderRef: string;
  /** From 0. */
  index: number;
  /** How many hold the render. */
  total: number;
}

const DIGEST = 'sha256:';
const NAME = /^([0-9a-f]{64})-(\d{1,3})-(\d{1,3})$/;

/** `<uid of the Release>-<hex of the digest>-<index>-<total>`. */
export function chunkName(uid: string, { renderRef, index, total }: Chunk): string {
  return `${uid}-${renderRef.slice(DIGEST.length)}-${index}-${total}`;
}

/** The reverse; undefined for a name that is not of a render of this Release. */
export function parseChunkName(uid: string, name: string): Chunk | undefined {
  if (!name.startsWith(`${uid}-`)) return undefined;
  const [, hex = '', index = '', total = ''] = NAME.exec(name.slice(uid.length + 1)) ?? [];
  if (hex === '') return undefined;
  return { renderRef: `${DIGEST}${hex}`, index: Number(index), total: Number(total) };
}

/** Renders of which every chunk is there, in order of digest. */
export function completeRenders(chunks: readonly Chunk[]): string[] {
  const sets = Map.groupBy(chunks, ({ renderRef, total }) => `${renderRef} ${total}`);
  const complete = [...sets.values()].filter(
    (set) => set[0] !== undefined && new Set(set.map(({ index }) => index)).size === set[0].total,
  );
  return [...new Set(complete.flatMap((set) => set[0]?.renderRef ?? []))].sort();
}
