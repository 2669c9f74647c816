import { stringify } from 'yaml';
import type { ApiAccess } from '../controlplane/apiAccess.ts';

const WAVES = 10;
/** One ConfigMap holds at most 1 MiB. */
const OBJECTS_PER_CONFIG_MAP = 500;

/** Objects of several kinds in 10 waves, about a kilobyte each. */
export function manyObjects(count: number): object[] {
  return Array.from({ length: count }, (_, index) => {
    const wave = Math.floor((index * WAVES) / count);
    const { apiVersion = 'v1', kind, ...rest } = KINDS[index % KINDS.length]?.(index) ?? configMap(index);
    const annotations = { 'convoy.kumodo.io/sync-wave': String(wave) };
    return { apiVersion, kind, metadata: { name: `object-${index}`, annotations }, ...rest };
  });
}

/**
 * Writes the objects as YAML into as many ConfigMaps as they need, all with the label `source: <name>`.
 * @returns the name
 */
export async function createSource(
  api: ApiAccess,
  namespace: string,
  name: string,
  objects: readonly object[],
): Promise<string> {
  for (let from = 0; from < objects.length; from += OBJECTS_PER_CONFIG_MAP) {
    const part = objects.slice(from, from + OBJECTS_PER_CONFIG_MAP);
    await api.must('POST', `/api/v1/namespaces/${namespace}/configmaps`, {
      metadata: { name: `${name}-${from}`, labels: { source: name } },
      data: { 'objects.yaml': part.map((object) => stringify(object)).join('---\n') },
    });
  }
  return name;
}

interface Content {
  apiVersion?: string;
  kind: string;
  [field: string]: unknown;
}

const KINDS: readonly ((index: number) => Content)[] = [
  configMap,
  configMap,
  (index) => ({ kind: 'Secret', stringData: { password: `secret number ${index} `.repeat(20) } }),
  (index) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    rules: Array.from({ length: 5 }, (_, rule) => ({
      apiGroups: ['example.test'],
      resources: [`things-${index}-${rule}`],
      verbs: ['get', 'list', 'watch'],
    })),
  }),
  (index) => ({
    kind: 'Service',
    spec: { ports: [{ name: 'http', port: 80 }], selector: { app: `app-${index}` } },
  }),
];

function configMap(index: number): Content {
  const settings = Array.from({ length: 20 }, (_, line) => `setting-${line}: value ${index}-${line} of many`);
  return { kind: 'ConfigMap', data: { index: String(index), 'settings.yaml': `${settings.join('\n')}\n` } };
}
