import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/object.ts';
import type { Release, ReleaseSpec } from '../../api/release.ts';
import type { SourceFile } from '../../engine/render/files.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound, isRetryable } from '../../kube/errors.ts';
import { labelSelectorText } from '../../kube/selector.ts';
import { CONFIG_MAPS } from '../resources.ts';
import { isArchive, type SourceRoom, sourceRoom, unpack } from './archive.ts';
import { SourceError, type Fetched } from './fetched.ts';

type ConfigMapSource = NonNullable<ReleaseSpec['source']['configMap']>;

interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

/** ConfigMaps that one Release reads from: more is a selector that matches too much. */
const MAX_CONFIG_MAPS = 100;

/**
 * Reads one ConfigMap by name, or several by selector in order of name. `data` holds files; `binaryData` holds files
 * or archives (`.tar.gz`, `.tgz`), which are unpacked in place (api.md, `source.configMap`).
 * @throws SourceError where a ConfigMap or key is absent or an archive is refused
 */
export async function fetchConfigMaps(
  client: KubeClient,
  release: Release,
  source: ConfigMapSource,
): Promise<Fetched> {
  const namespace = release.metadata.namespace ?? '';
  const maps =
    source.name !== undefined
      ? [await one(client, namespace, source.name)]
      : await selected(client, namespace, source);
  const digest = createHash('sha256');
  const files: SourceFile[] = [];
  const room = sourceRoom();
  for (const map of maps) {
    for (const entry of entriesOf(map, source.key)) {
      digest.update(`${map.metadata.name}/${entry.key}\0${entry.content.length}\0`).update(entry.content);
      // Whatever number the selector matches, so that one more ConfigMap moves no path of another.
      const folder = source.name === undefined ? `${map.metadata.name}/` : '';
      files.push(...(await filesOf(entry, { folder, room, named: source.key !== undefined })));
    }
  }
  return { revision: `sha256:${digest.digest('hex')}`, files };
}

async function one(client: KubeClient, namespace: string, name: string): Promise<ConfigMap> {
  try {
    return await client.get<ConfigMap>(CONFIG_MAPS, { namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw unreadable(error, `ConfigMap ${name} in ${namespace}`);
    throw new SourceError(
      `the source ConfigMap ${name} in ${namespace} does not exist: create it, or correct spec.source.configMap.name`,
      { cause: error },
    );
  }
}

async function selected(
  client: KubeClient,
  namespace: string,
  source: ConfigMapSource,
): Promise<ConfigMap[]> {
  const labelSelector = labelSelectorText(source.selector ?? {});
  const { items, continue: more } = await client
    .list<ConfigMap>(CONFIG_MAPS, { namespace, labelSelector, limit: MAX_CONFIG_MAPS })
    .catch((error: unknown) => {
      throw unreadable(error, `ConfigMaps by "${labelSelector}" in ${namespace}`);
    });
  if (items.length === 0) {
    throw new SourceError(
      `no ConfigMap in ${namespace} matches spec.source.configMap.selector "${labelSelector}": label the ConfigMaps, or correct the selector`,
    );
  }
  if (more !== undefined) {
    throw new SourceError(
      `more than ${MAX_CONFIG_MAPS} ConfigMaps in ${namespace} match spec.source.configMap.selector "${labelSelector}": narrow it`,
    );
  }
  return items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function unreadable(error: unknown, what: string): SourceError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SourceError(`the source ${what} cannot be read: ${reason}`, {
    retryable: isRetryable(error),
    cause: error,
  });
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
