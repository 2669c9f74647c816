import { type PackedRender, RenderUnreadable, unpackRender } from '../../api/packedRender.ts';
import type { RenderOwner } from '../../kube/renderSecrets.ts';
import {
  ContentCorrupt,
  deleteManifest,
  type Descriptor,
  digestOfTag,
  EMPTY,
  EMPTY_DESCRIPTOR,
  getBlob,
  getManifest,
  listTags,
  type Manifest,
  MANIFEST_TYPE,
  putBlob,
  putManifest,
} from '../registry/content.ts';
import { refusesDeletion, RegistryError } from '../registry/errors.ts';
import { digestOf, type Registry } from '../registry/registry.ts';
import { type RenderStore, RenderTooLarge } from './renderStore.ts';

const ARTIFACT_TYPE = 'application/vnd.kumodo.convoy.render.v1';
const LAYER_TYPE = 'application/vnd.kumodo.convoy.render.v1.json+zstd';
/** More than this is sent to no registry (bytes). */
const MAX_BYTES = 128 * 1024 * 1024;
const SHA256 = 'sha256:';

/**
 * Keeps renders as artifacts of one repository, under a tag of Release and digest. The manifests of two Releases differ, so
 * that the end of one takes nothing from the other; equal content is there once.
 */
export class OciStore implements RenderStore {
  readonly isOutside = true;
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** @throws RenderTooLarge, RegistryError */
  async put(owner: RenderOwner, { renderRef, packed }: PackedRender): Promise<void> {
    if (packed.length > MAX_BYTES)
      throw this.#tooLarge(renderRef, packed, `above ${MAX_BYTES / 2 ** 20} MiB:`);
    const layer = { mediaType: LAYER_TYPE, digest: digestOf(packed), size: packed.length };
    const manifest = manifestOf(owner, renderRef, layer);
    const tag = tagOf(owner, renderRef);
    try {
      const uploaded = [await putBlob(this.#registry, packed), await putBlob(this.#registry, EMPTY)];
      // What a manifest refers to may have been lost, and some registries then refuse the tag.
      if (!uploaded.includes(true) && (await digestOfTag(this.#registry, tag)) === digestOf(manifest)) return;
      await putManifest(this.#registry, tag, manifest);
    } catch (error) {
      if (error instanceof RegistryError && error.status === 413)
        throw this.#tooLarge(
          renderRef,
          packed,
          'that large: raise the limit of the registry or of the proxy before it, or',
        );
      throw error;
    }
  }

  /** @throws RenderUnreadable, RegistryError */
  async get(owner: RenderOwner, renderRef: string): Promise<string> {
    const { name, host } = this.#registry.repository;
    const tag = tagOf(owner, renderRef);
    try {
      const layer = layerOf(await getManifest(this.#registry, tag));
      if (layer === undefined) throw missing(renderRef, `there is no render as ${host}/${name}:${tag}`);
      if (layer.size > MAX_BYTES)
        throw missing(renderRef, `${host}/${name}:${tag} is larger than any render`);
      const packed = await getBlob(this.#registry, layer);
      if (packed === undefined) throw missing(renderRef, `${host}/${name} has no blob ${layer.digest}`);
      return await unpackRender({ renderRef, packed });
    } catch (error) {
      if (error instanceof ContentCorrupt) throw missing(renderRef, error.message);
      throw error;
    }
  }

  async held(owner: RenderOwner): Promise<string[]> {
    const prefix = prefixOf(owner);
    return (await listTags(this.#registry, prefix)).map((tag) => `${SHA256}${tag.slice(prefix.length)}`);
  }

  /** @throws RegistryError; where the registry does not delete, it says what to do instead */
  async collect(owner: RenderOwner, keep: ReadonlySet<string>): Promise<number> {
    const going = (await this.held(owner)).filter((renderRef) => !keep.has(renderRef));
    for (const renderRef of going) await this.#remove(tagOf(owner, renderRef));
    return going.length;
  }

  async close(): Promise<void> {
    await this.#registry.close();
  }

  /** By digest, as the specification has it; some registries keep the tag, which is removed then. */
  async #remove(tag: string): Promise<void> {
    try {
      const digest = await digestOfTag(this.#registry, tag);
      if (digest === undefined) return;
      if (digest !== '') await deleteManifest(this.#registry, digest);
      if ((await digestOfTag(this.#registry, tag)) !== undefined) await deleteManifest(this.#registry, tag);
    } catch (error) {
      if (!refusesDeletion(error)) throw error;
      const { host, name } = this.#registry.repository;
      throw new RegistryError(
        `registry ${host} deletes nothing from ${name} (${error.status ?? 'no answer'}): allow it there, or have the registry remove old tags by a policy of its own`,
        { cause: error, ...(error.status === undefined ? {} : { status: error.status }) },
      );
    }
  }

  #tooLarge(renderRef: string, packed: Uint8Array, holds: string): RenderTooLarge {
    const { host, name } = this.#registry.repository;
    return new RenderTooLarge(
      `render ${renderRef} takes ${Math.ceil(packed.length / 2 ** 20)} MiB compressed, and ${host}/${name} takes none ${holds} split the source into several Releases`,
    );
  }
}

function prefixOf({ metadata: { uid = '' } }: RenderOwner): string {
  return `${uid}-`;
}

function tagOf(owner: RenderOwner, renderRef: string): string {
  return `${prefixOf(owner)}${renderRef.slice(SHA256.length)}`;
}

function manifestOf({ metadata }: RenderOwner, renderRef: string, layer: Descriptor): Buffer {
  const manifest: Manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: ARTIFACT_TYPE,
    config: EMPTY_DESCRIPTOR,
    layers: [layer],
    annotations: {
      'io.kumodo.convoy.release': `${metadata.namespace ?? ''}/${metadata.name}`,
      'io.kumodo.convoy.release-uid': metadata.uid ?? '',
      'io.kumodo.convoy.render': renderRef,
    },
  };
  return Buffer.from(JSON.stringify(manifest));
}

function layerOf(manifest: Manifest | undefined): Descriptor | undefined {
  return manifest?.layers.find(({ mediaType }) => mediaType === LAYER_TYPE);
}

function missing(renderRef: string, why: string): RenderUnreadable {
  return new RenderUnreadable(
    `render ${renderRef}: the render store does not hold it as it was (${why}): it is not applied. Sync the source that it came from, or pin another render`,
    why,
  );
}
