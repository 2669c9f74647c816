import pMap from 'p-map';
import { FINALIZER, MANAGED_BY, MANAGED_BY_LABEL } from '../../api/annotations.ts';
import { API_VERSION, FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { type PackedRender, RenderUnreadable } from '../../api/packedRender.ts';
import { completeRenders, RENDER_SECRET_TYPE } from '../../api/renderChunk.ts';
import { SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import {
  chunkRef,
  listChunks,
  readDivision,
  readRender,
  type RenderOwner,
} from '../../kube/renderSecrets.ts';
import { removeOwn } from '../delete/removeOwn.ts';
import { type RenderStore, RenderTooLarge } from './renderStore.ts';

/** An API server takes Secrets of up to 1 MiB (bytes). */
const CHUNK_BYTES = 768 * 1024;
const MAX_CHUNKS = 64;
const CONCURRENCY = 4;

/**
 * Keeps renders as immutable Secrets in the namespace of their Release, owned by it, with Convoy's finalizer: a foreground
 * deletion must not take them before the objects are gone. They have no label of the Release, since they are none of the
 * objects that it applies.
 */
export class SecretStore implements RenderStore {
  readonly isOutside = false;
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
    const chunks = await listChunks(this.#client, owner);
    return await readRender(this.#client, owner, { renderRef, chunks });
  }

  async held(owner: RenderOwner): Promise<string[]> {
    return completeRenders((await listChunks(this.#client, owner)).filter(({ isGoing }) => !isGoing));
  }

  async collect(owner: RenderOwner, keep: ReadonlySet<string>): Promise<number> {
    const going = (await listChunks(this.#client, owner)).filter(({ renderRef }) => !keep.has(renderRef));
    const { namespace = '' } = owner.metadata;
    await pMap(going, ({ name }) => removeOwn(this.#client, SECRETS, { namespace, name }), {
      concurrency: CONCURRENCY,
    });
    return new Set(going.map(({ renderRef }) => renderRef)).size;
  }

  /** The client is not its own. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  /** @returns whether one of them was there before */
  async #create(owner: RenderOwner, renderRef: string, parts: readonly Uint8Array[]): Promise<boolean> {
    const existed = await pMap(
      parts,
      async (part, index): Promise<boolean> => {
        const ref = chunkRef(owner, { renderRef, index, total: parts.length });
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
    const chunks = (await listChunks(this.#client, owner)).filter(
      (chunk) => chunk.renderRef === renderRef && chunk.total === parts.length,
    );
    if (chunks.length < parts.length || chunks.some(({ isGoing }) => isGoing)) return false;
    try {
      await readDivision(this.#client, owner, { renderRef, total: parts.length });
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
      (_, index) => removeOwn(this.#client, SECRETS, chunkRef(owner, { renderRef, index, total })),
      { concurrency: CONCURRENCY },
    );
  }
}

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
    type: RENDER_SECRET_TYPE,
    immutable: true,
    data: { render: Buffer.from(part).toString('base64') },
  };
}
