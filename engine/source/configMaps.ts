import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/object.ts';
import type { ReleaseSpec } from '../../api/release.ts';
import type { SourceFile } from '../render/files.ts';
import { isArchive, type SourceRoom, sourceRoom, unpack } from './archive.ts';
import { type Fetched, SourceError } from './fetched.ts';

export type ConfigMapSource = NonNullable<ReleaseSpec['source']['configMap']>;

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

/** ConfigMaps that one Release reads from: more is a selector that matches too much. */
export const MAX_CONFIG_MAPS = 100;

/** What was found of the ConfigMaps that a source names. */
export interface FoundConfigMaps {
  /** Where they were looked for. */
  namespace: string;
  /** The selector as text, for messages. */
  labelSelector: string;
  /** In order of name. */
  items: readonly ConfigMap[];
  /** There are more than MAX_CONFIG_MAPS. */
  more: boolean;
}

/**
 * The files of one ConfigMap by name, or of several by selector in order of name. `data` holds files; `binaryData` holds
 * files or archives (`.tar.gz`, `.tgz`), which are unpacked in place (api.md, `source.configMap`).
 * @throws SourceError where a ConfigMap or key is absent or an archive is refused
 */
export async function filesOfConfigMaps(source: ConfigMapSource, found: FoundConfigMaps): Promise<Fetched> {
  refuseWrongNumber(source, found);
  const digest = createHash('sha256');
  const files: SourceFile[] = [];
  const room = sourceRoom();
  for (const map of found.items) {
    for (const entry of entriesOf(map, source.key)) {
      digest.update(`${map.metadata.name}/${entry.key}\0${entry.content.length}\0`).update(entry.content);
      // Whatever number the selector matches, so that one more ConfigMap moves no path of another.
      const folder = source.name === undefined ? `${map.metadata.name}/` : '';
      files.push(...(await filesOf(entry, { folder, room, named: source.key !== undefined })));
    }
  }
  return { revision: `sha256:${digest.digest('hex')}`, files };
}

/** How messages name what a source reads: `ConfigMap app in shop`, ``ConfigMaps by "app=web" in shop``. */
export function describeConfigMaps(
  { name }: ConfigMapSource,
  { namespace, labelSelector }: Pick<FoundConfigMaps, 'namespace' | 'labelSelector'>,
): string {
  return name === undefined
    ? `ConfigMaps by "${labelSelector}" in ${namespace}`
    : `ConfigMap ${name} in ${namespace}`;
}

function refuseWrongNumber({ name }: ConfigMapSource, found: FoundConfigMaps): void {
  const { namespace, labelSelector, items, more } = found;
  if (items.length === 0 && name !== undefined) {
    throw new SourceError(
      `the source ConfigMap ${name} in ${namespace} does not exist: create it, or correct spec.source.configMap.name`,
    );
  }
  if (items.length === 0) {
    throw new SourceError(
      `no ConfigMap in ${namespace} matches spec.source.configMap.selector "${labelSelector}": label the ConfigMaps, or correct the selector`,
    );
  }
  if (more) {
    throw new SourceError(
      `more than ${MAX_CONFIG_MAPS} ConfigMaps in ${namespace} match spec.source.configMap.selector "${labelSelector}": narrow it`,
    );
  }
}

interface MapEntry {
  map: string;
  key: string;
  content: Buffer;
}

function entriesOf(map: ConfigMap, key: string | undefined): MapEntry[] {
  const { name } = map.metadata;
  const all: MapEntry[] = [
    ...Object.entries(map.data ?? {}).map(([key, text]) => ({ map: name, key, content: Buffer.from(text) })),
    ...Object.entries(map.binaryData ?? {}).map(([key, base64]) => ({
      map: name,
      key,
      content: Buffer.from(base64, 'base64'),
    })),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (key === undefined) return all;
  const chosen = all.filter((entry) => entry.key === key);
  if (chosen.length > 0) return chosen;
  const held = all.map((entry) => entry.key).join(', ') || 'none';
  throw new SourceError(
    `the source ConfigMap ${name} has no key "${key}" (spec.source.configMap.key); its keys: ${held}`,
  );
}

async function filesOf(
  { map, key, content }: MapEntry,
  { folder, room, named }: { folder: string; room: SourceRoom; named: boolean },
): Promise<SourceFile[]> {
  if (isArchive(key)) return await unpack(content, { folder, label: `ConfigMap ${map}, key ${key}`, room });
  // A key that the Release names is YAML whatever it is called.
  const path = named && !/\.(ya?ml|json)$/.test(key) ? `${key}.yaml` : key;
  return [{ path: folder + path, content: new Uint8Array(content) }];
}
