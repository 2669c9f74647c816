import { RegistryError } from './errors.ts';
import { digestOf, type Registry } from './registry.ts';
import { headerOf } from './wire.ts';

/** What a manifest says of a blob. */
export interface Descriptor {
  mediaType: string;
  digest: string;
  /** Bytes. */
  size: number;
}

/** An image manifest, as far as it is used. */
export interface Manifest {
  schemaVersion: 2;
  mediaType: string;
  artifactType?: string;
  config: Descriptor;
  layers: Descriptor[];
  annotations?: Record<string, string>;
}

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const ACCEPTED = `${MANIFEST_TYPE}, application/vnd.docker.distribution.manifest.v2+json`;

/** What artifacts without a configuration have in its place (image specification, "empty descriptor"). */
export const EMPTY = Buffer.from('{}');
export const EMPTY_DESCRIPTOR: Descriptor = {
  mediaType: 'application/vnd.oci.empty.v1+json',
  digest: digestOf(EMPTY),
  size: EMPTY.length,
};

const PAGE = 1000;

/** A manifest by tag or digest; undefined where there is none. @throws RegistryError */
export async function getManifest(registry: Registry, reference: string): Promise<Manifest | undefined> {
  const headers = { accept: ACCEPTED };
  const { status, body } = await registry.send(
    { method: 'GET', at: `manifests/${reference}`, headers },
    [200, 404],
  );
  if (status === 404) return undefined;
  if (reference.startsWith('sha256:') && digestOf(body) !== reference) throw corrupt(registry, reference);
  const manifest = parse(body);
  if (manifest === undefined)
    throw new RegistryError(
      `registry ${registry.repository.host}: ${registry.repository.name}:${reference} is no image manifest: somebody else has written it`,
    );
  return manifest;
}

/** Digest of what a tag names; undefined where there is no such tag. @throws RegistryError */
export async function digestOfTag(registry: Registry, tag: string): Promise<string | undefined> {
  const headers = { accept: ACCEPTED };
  const answer = await registry.send({ method: 'HEAD', at: `manifests/${tag}`, headers }, [200, 404]);
  return answer.status === 404 ? undefined : (headerOf(answer, 'docker-content-digest') ?? '');
}

/** @throws RegistryError */
export async function putManifest(registry: Registry, tag: string, manifest: Buffer): Promise<void> {
  const headers = { 'content-type': MANIFEST_TYPE };
  await registry.send({ method: 'PUT', at: `manifests/${tag}`, headers, body: manifest }, [200, 201]);
}

/** Removes a manifest, or a tag; no harm where it is gone. @throws RegistryError */
export async function deleteManifest(registry: Registry, reference: string): Promise<void> {
  await registry.send({ method: 'DELETE', at: `manifests/${reference}` }, [200, 202, 204, 404]);
}

/** @throws RegistryError */
async function hasBlob(registry: Registry, digest: string): Promise<boolean> {
  return (await registry.send({ method: 'HEAD', at: `blobs/${digest}` }, [200, 404])).status === 200;
}

/**
 * The content of a blob, whose digest was verified.
 * @returns undefined where there is none
 * @throws RegistryError; also where it is not what its digest says
 */
export async function getBlob(registry: Registry, { digest, size }: Descriptor): Promise<Buffer | undefined> {
  const request = { method: 'GET', at: `blobs/${digest}`, maxBytes: size } as const;
  const { status, body, isCut } = await registry.send(request, [200, 404]);
  if (status === 404) return undefined;
  if (isCut || body.length !== size || digestOf(body) !== digest) throw corrupt(registry, digest);
  return body;
}

/** Uploads a blob, unless it is there. @returns whether it was uploaded @throws RegistryError */
export async function putBlob(registry: Registry, content: Uint8Array): Promise<boolean> {
  const digest = digestOf(content);
  if (await hasBlob(registry, digest)) return false;
  const begun = await registry.send({ method: 'POST', at: 'blobs/uploads/', body: new Uint8Array() }, [202]);
  const location = URL.parse(headerOf(begun, 'location') ?? '', registry.urlOf('blobs/uploads/').href);
  if (location === null)
    throw new RegistryError(
      `registry ${registry.repository.host} does not say where to upload to: see its log`,
    );
  location.searchParams.set('digest', digest);
  const headers = { 'content-type': 'application/octet-stream' };
  await registry.send({ method: 'PUT', at: location, headers, body: content }, [200, 201, 204]);
  return true;
}

/** Tags that begin with a prefix, in order. @throws RegistryError */
export async function listTags(registry: Registry, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  // In order of letters everything that begins with it comes after it.
  for (let last = prefix; ;) {
    const at = `tags/list?n=${PAGE}&last=${encodeURIComponent(last)}`;
    const { status, body } = await registry.send({ method: 'GET', at }, [200, 404]);
    const tags = status === 404 ? [] : tagsIn(body);
    for (const tag of tags) if (tag.startsWith(prefix)) found.add(tag);
    const end = tags.at(-1) ?? '';
    if (tags.length < PAGE || end <= last || !end.startsWith(prefix)) return [...found].sort();
    last = end;
  }
}

function tagsIn(body: Buffer): string[] {
  const { tags } = JSON.parse(body.toString('utf8')) as { tags?: string[] | null };
  return tags ?? [];
}

function parse(body: Buffer): Manifest | undefined {
  try {
    const manifest = JSON.parse(body.toString('utf8')) as Partial<Manifest> | null;
    return Array.isArray(manifest?.layers) ? (manifest as Manifest) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function corrupt({ repository }: Registry, digest: string): ContentCorrupt {
  return new ContentCorrupt(
    `registry ${repository.host}: what ${repository.name} holds as ${digest} is not what its digest says`,
  );
}

/** A registry sends something else than was asked for. */
export class ContentCorrupt extends RegistryError {
  override name = 'ContentCorrupt';
}
