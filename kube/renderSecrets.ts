import pMap from 'p-map';
import type { KubeObject, ObjectMeta } from '../api/object.ts';
import { RenderUnreadable, unpackRender } from '../api/packedRender.ts';
import { type Chunk, chunkName, parseChunkName, RENDER_SECRET_TYPE } from '../api/renderChunk.ts';
import { SECRETS } from './builtIn.ts';
import type { KubeClient, ObjectName } from './client.ts';
import { isNotFound } from './errors.ts';

/** The Release that renders belong to, by name, namespace and UID; also one that is gone. */
export interface RenderOwner {
  metadata: ObjectMeta;
}

/** A Secret that holds a part of a render. */
export interface FoundChunk extends Chunk {
  /** Of the Secret. */
  name: string;
  isGoing: boolean;
}

/** Secrets that are read at the same time. */
const CONCURRENCY = 4;

interface RenderSecret extends KubeObject {
  data?: Record<string, string>;
}

/** Where a chunk is kept. */
export function chunkRef({ metadata }: RenderOwner, chunk: Chunk): ObjectName & { namespace: string } {
  const { namespace = '', uid = '' } = metadata;
  return { namespace, name: chunkName(uid, chunk) };
}

/** The chunks of all renders of a Release, without what they hold. @throws the errors of KubeClient */
export async function listChunks(client: KubeClient, { metadata }: RenderOwner): Promise<FoundChunk[]> {
  const { namespace = '', uid = '' } = metadata;
  const { items } = await client.listAll(SECRETS, {
    namespace,
    fieldSelector: `type=${RENDER_SECRET_TYPE}`,
    metadataOnly: true,
  });
  return items.flatMap(({ metadata: { name, deletionTimestamp } }) => {
    const chunk = parseChunkName(uid, name);
    return chunk === undefined ? [] : [{ ...chunk, name, isGoing: deletionTimestamp !== undefined }];
  });
}

/**
 * The canonical JSON of a render, whose digest was verified. Where it was kept in several divisions, one that is whole is
 * enough.
 * @param chunks as listed
 * @throws RenderUnreadable where it is not there, incomplete or not what its digest says; the errors of KubeClient
 */
export async function readRender(
  client: KubeClient,
  owner: RenderOwner,
  { renderRef, chunks }: { renderRef: string; chunks: readonly Chunk[] },
): Promise<string> {
  const own = chunks.filter((chunk) => chunk.renderRef === renderRef);
  const totals = [...new Set(own.map(({ total }) => total))].sort((a, b) => a - b);
  const failures: RenderUnreadable[] = [];
  for (const total of totals) {
    try {
      return await readDivision(client, owner, { renderRef, total });
    } catch (error) {
      if (!(error instanceof RenderUnreadable)) throw error;
      failures.push(error);
    }
  }
  throw failures[0] ?? missing(owner, renderRef, 'no Secret');
}

/** As readRender, of one division. */
export async function readDivision(
  client: KubeClient,
  owner: RenderOwner,
  { renderRef, total }: Pick<Chunk, 'renderRef' | 'total'>,
): Promise<string> {
  const indexes = Array.from({ length: total }, (_, index) => index);
  const parts = await pMap(indexes, (index) => readChunk(client, owner, { renderRef, index, total }), {
    concurrency: CONCURRENCY,
  });
  return await unpackRender({ renderRef, packed: Buffer.concat(parts) });
}

async function readChunk(client: KubeClient, owner: RenderOwner, chunk: Chunk): Promise<Uint8Array> {
  const ref = chunkRef(owner, chunk);
  try {
    const { data = {} } = await client.get<RenderSecret>(SECRETS, ref);
    return Buffer.from(data['render'] ?? '', 'base64');
  } catch (error) {
    if (isNotFound(error)) throw missing(owner, chunk.renderRef, `no Secret ${ref.name}`);
    throw error;
  }
}

function missing({ metadata }: RenderOwner, renderRef: string, what: string): RenderUnreadable {
  const why = `the render store does not hold all of it (${what} in namespace ${metadata.namespace ?? ''})`;
  return new RenderUnreadable(
    `render ${renderRef}: ${why}: it is not applied. Sync the source that it came from, or pin another render`,
    why,
  );
}
