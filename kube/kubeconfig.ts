import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { KubeError } from './errors.ts';
import { isRecord, listOf, textOf } from './json.ts';

/** A kubeconfig that cannot be used; the message says which part and why. */
export class ConfigError extends KubeError {
  override name = 'ConfigError';
}

type Entry = Record<string, unknown>;

/** The parts of a kubeconfig by name. Where files are merged, the first that names a part wins, as in kubectl. */
export interface Kubeconfig {
  currentContext: string;
  clusters: Map<string, Entry>;
  users: Map<string, Entry>;
  contexts: Map<string, Entry>;
}

/** What one context selects. */
export interface SelectedContext {
  cluster: Entry;
  user: Entry;
  namespace: string;
}

/** A kubeconfig with a thousand clusters stays below; client-go has no limit. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Fields that name files, relative to the kubeconfig that holds them. */
const FILE_FIELDS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Reads and merges kubeconfig files. Throws ConfigError for one that cannot be read or is no kubeconfig. */
export async function readKubeconfigFiles(files: string[]): Promise<Kubeconfig> {
  const configs = await Promise.all(files.map((file) => readKubeconfigFile(file)));
  const merged: Kubeconfig = {
    currentContext: '',
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };
  for (const config of configs) {
    merged.currentContext ||= config.currentContext;
    for (const part of ['clusters', 'users', 'contexts'] as const) {
      for (const [name, entry] of config[part]) {
        if (!merged[part].has(name)) merged[part].set(name, entry);
      }
    }
  }
  return merged;
}

async function readKubeconfigFile(file: string): Promise<Kubeconfig> {
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new ConfigError(`it is larger than ${MAX_BYTES} bytes`);
    const config = await parseKubeconfig(await readFile(file, 'utf8'));
    for (const entry of [...config.clusters.values(), ...config.users.values()])
      resolveFiles(entry, dirname(file));
    return config;
  } catch (cause) {
    throw new ConfigError(`kubeconfig ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Reads the text of one kubeconfig. Throws ConfigError. */
export async function parseKubeconfig(text: string): Promise<Kubeconfig> {
  if (text.length > MAX_BYTES)
    throw new ConfigError(`a kubeconfig may not be larger than ${MAX_BYTES} bytes`);
  const config: unknown = await parseKubeconfigYaml(text);
  if (!isRecord(config)) throw new ConfigError('not a kubeconfig: no mapping at the top');
  return {
    currentContext: textOf(config['current-context']),
    clusters: entries(config['clusters'], 'cluster'),
    users: entries(config['users'], 'user'),
    contexts: entries(config['contexts'], 'context'),
  };
}

/** The cluster and user of a context, of the current one where none is named. Throws ConfigError where one is missing. */
export function selectContext(config: Kubeconfig, name = config.currentContext): SelectedContext {
  if (name === '') throw new ConfigError('no context is named and the kubeconfig has no current-context');
  const context = config.contexts.get(name);
  if (context === undefined) throw new ConfigError(`the kubeconfig has no context "${name}"`);
  const cluster = config.clusters.get(textOf(context['cluster']));
  if (cluster === undefined)
    throw new ConfigError(`context "${name}": the kubeconfig has no cluster "${textOf(context['cluster'])}"`);
  const userName = textOf(context['user']);
  const user = config.users.get(userName);
  if (user === undefined && userName !== '')
    throw new ConfigError(`context "${name}": the kubeconfig has no user "${userName}"`);
  return { cluster, user: user ?? {}, namespace: textOf(context['namespace']) };
}

/** The library takes some milliseconds to load, which a program of one command may want to save. */
async function parseKubeconfigYaml(text: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text, { maxAliasCount: 100 }) as unknown;
  } catch (cause) {
    // The parser's message quotes the text, which may hold a secret.
    const place = cause instanceof Error && 'linePos' in cause ? lineOf(cause.linePos) : '';
    throw new ConfigError(`not a kubeconfig: no YAML${place}`);
  }
}

function lineOf(linePos: unknown): string {
  const [first] = listOf(linePos);
  return isRecord(first) ? ` (line ${textOf(String(first['line']))})` : '';
}

function entries(list: unknown, field: string): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const item of listOf(list)) {
    if (!isRecord(item) || found.has(textOf(item['name']))) continue;
    found.set(textOf(item['name']), isRecord(item[field]) ? item[field] : {});
  }
  return found;
}

function resolveFiles(entry: Entry, folder: string): void {
  for (const field of FILE_FIELDS) {
    const path = textOf(entry[field]);
    if (path !== '') entry[field] = resolve(folder, path);
  }
}
