import pMap from 'p-map';
import { FINALIZER, MANAGED_BY, MANAGED_BY_LABEL } from '../../api/annotations.ts';
import { API_VERSION, FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isAlreadyExists, isNotFound } from '../../kube/errors.ts';
import { removeOwn } from '../delete/removeOwn.ts';
import { type Chunk, chunkName, completeRenders, parseChunkName } from './chunkName.ts';
import { unpackRender } from './pack.ts';
import {
  type PackedRender,
  type RenderOwner,
  type RenderStore,
  RenderTooLarge,
  RenderUnreadable,
} from './renderStore.ts';

/** The type of a Secret can never be changed, so that a list by it misses none. */
const TYPE = 'convoy.kumodo.io/render';
/** An API server takes Secrets of up to 1 MiB (bytes). */
const CHUNK_BYTES = 768 * 1024;
const MAX_CHUNKS = 64;
const CONCURRENCY = 4;

interface Secret extends KubeObject {
  data?: Record<string, string>;
}

interface FoundChunk extends Chunk {
  name: string;
  isGoing: boolean;
}

/**
 * Keeps renders as immutable Secrets in the namespace of their Release, owned by it, with Convoy's finalizer: a foreground
 * deletion must not take them before the objects are gone. They have no label of the Release, since they are none of the
 * objects that it applies.
 */
export class SecretStore implements RenderStore {
  readonly #client: KubeClient;

  constructor(client: KubeClient) {
    this.#client = client;
  }

  async put(owner: RenderOwner, render: PackedRender): Promise<void> {
    const parts = split(render);
    if (!(await this.#create(owner, render.renderRef, parts)) || (await this.#isIntact(owner, render, parts)))
      return;
    await this.#remove(owner, parts, render.renderRef);
    await this.#create(owner, render.renderRef, parts);
  }

  async get(owner: RenderOwner, renderRef: string): Promise<string> {
    const chunks = (await this.#list(owner)).filter((chunk) => chunk.renderRef === renderRef);
    const totals = [...new Set(chunks.map(({ total }) => total))].sort((a, b) => a - b);
    if (totals.length === 0) throw missing(owner, renderRef, 'no Secret');
    const failures: RenderUnreadable[] = [];
    for (const total of totals) {
      try {
        return await this.#read(owner, renderRef, total);
      } catch (error) {
        if (!(error instanceof RenderUnreadable)) throw error;
        failures.push(error);
      }
    }
    throw failures[0] ?? missing(owner, renderRef, 'no Secret');
  }

  async held(owner: RenderOwner): Promise<string[]> {
    return completeRenders((await this.#list(owner)).filter(({ isGoing }) => !isGoing));
  }

  async collect(owner: RenderOwner, keep: ReadonlySet<string>): Promise<number> {
    const going = (await this.#list(owner)).filter(({ renderRef }) => !keep.has(renderRef));
    const { namespace = '' } = owner.metadata;
    await pMap(going, ({ name }) => removeOwn(this.#client, SECRETS, { namespace, name }), {
      concurrency: CONCURRENCY,
    });
    return new Set(going.map(({ renderRef }) => renderRef)).size;
  }

  /** @returns whether one of them was there before */
  async #create(owner: RenderOwner, renderRef: string, parts: readonly Uint8Array[]): Promise<boolean> {
    const existed = await pMap(
      parts,
      async (part, index): Promise<boolean> => {
        const ref = refOf(owner, { renderRef, index, total: parts.length });
        try {
          await this.#client.create(SECRETS, secretOf(owner, ref, part), { fieldManager: FIELD_MANAGER });
          return false;
        } catch (error) {
          if (isAlreadyExists(error)) return true;
          throw error;
        }
      },
      { concurrency: CONCURRENCY },
    );
    return existed.includes(true);
  }

  /** What stood there before may be of another writer, being deleted, or not what it should be. */
  async #isIntact(
    owner: RenderOwner,
    { renderRef }: PackedRender,
    parts: readonly Uint8Array[],
  ): Promise<boolean> {
    const chunks = (await this.#list(owner)).filter(
      (chunk) => chunk.renderRef === renderRef && chunk.total === parts.length,
    );
    if (chunks.length < parts.length || chunks.some(({ isGoing }) => isGoing)) return false;
    try {
      await this.#read(owner, renderRef, parts.length);
      return true;
    } catch (error) {
      if (error instanceof RenderUnreadable) return false;
      throw error;
    }
  }

  async #remove(owner: RenderOwner, parts: readonly Uint8Array[], renderRef: string): Promise<void> {
    const total = parts.length;
    await pMap(
      parts,
      (_, index) => removeOwn(this.#client, SECRETS, refOf(owner, { renderRef, index, total })),
      { concurrency: CONCURRENCY },
    );
  }

  async #read(owner: RenderOwner, renderRef: string, total: number): Promise<string> {
    const indexes = Array.from({ length: total }, (_, index) => index);
    const parts = await pMap(indexes, (index) => this.#readChunk(owner, { renderRef, index, total }), {
      concurrency: CONCURRENCY,
    });
    return await unpackRender({ renderRef, packed: Buffer.concat(parts) });
  }

  async #readChunk(owner: RenderOwner, chunk: Chunk): Promise<Uint8Array> {
    const ref = refOf(owner, chunk);
    try {
      const { data = {} } = await this.#client.get<Secret>(SECRETS, ref);
      return Buffer.from(data['render'] ?? '', 'base64');
    } catch (error) {
      if (isNotFound(error)) throw missing(owner, chunk.renderRef, `no Secret ${ref.name}`);
      throw error;
    }
  }

  async #list({ metadata }: RenderOwner): Promise<FoundChunk[]> {
    const { namespace = '', uid = '' } = metadata;
    const { items } = await this.#client.listAll(SECRETS, {
      namespace,
      fieldSelector: `type=${TYPE}`,
      metadataOnly: true,
    });
    return items.flatMap(({ metadata: { name, deletionTimestamp } }) => {
      const chunk = parseChunkName(uid, name);
      return chunk === undefined ? [] : [{ ...chunk, name, isGoing: deletionTimestamp !== undefined }];
    });
  }
}

/** @throws RenderTooLarge */
function split({ renderRef, packed }: PackedRender): Uint8Array[] {
  const total = Math.max(1, Math.ceil(packed.length / CHUNK_BYTES));
  if (total > MAX_CHUNKS) {
    const [size, limit] = [packed.length, MAX_CHUNKS * CHUNK_BYTES].map((bytes) =>
      Math.ceil(bytes / 2 ** 20),
    );
    throw new RenderTooLarge(
      `render ${renderRef} takes ${size} MiB compressed, and Secrets hold renders of up to ${limit} MiB: ` +
        'split the source into several Releases',
    );
  }
  return Array.from({ length: total }, (_, index) =>
    packed.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  );
}

function refOf({ metadata }: RenderOwner, chunk: Chunk): ObjectName & { namespace: string } {
  const { namespace = '', uid = '' } = metadata;
  return { namespace, name: chunkName(uid, chunk) };
}

function secretOf({ metadata }: RenderOwner, ref: ObjectName, part: Uint8Array): KubeObject {
  const { name, uid = '' } = metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...ref,
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
      finalizers: [FINALIZER],
      ownerReferences: [
        { apiVersion: API_VERSION, kind: 'Release', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    type: TYPE,
    immutable: true,
    data: { render: Buffer.from(part).toString('base64') },
  };
}

function missing({ metadata }: RenderOwner, renderRef: string, what: string): RenderUnreadable {
  return new RenderUnreadable(
    `render ${renderRef}: the render store does not hold all of it (${what} in namespace ${metadata.namespace ?? ''}): ` +
      'it is not applied. Sync the source that it came from, or pin another render',
  );
}
