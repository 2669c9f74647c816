import { groupOf, type KubeObject } from '../../api/object.ts';
import type { Problems } from './errors.ts';
import { isMap, type SourceObject } from './objects.ts';
import { quote } from './syntax.ts';

/** Where the built-in workload kinds keep their pod spec. */
const POD_SPEC: Readonly<Record<string, readonly string[]>> = {
  '/Pod': ['spec'],
  '/PodTemplate': ['template', 'spec'],
  '/ReplicationController': ['spec', 'template', 'spec'],
  'apps/DaemonSet': ['spec', 'template', 'spec'],
  'apps/Deployment': ['spec', 'template', 'spec'],
  'apps/ReplicaSet': ['spec', 'template', 'spec'],
  'apps/StatefulSet': ['spec', 'template', 'spec'],
  'batch/CronJob': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  'batch/Job': ['spec', 'template', 'spec'],
};
const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/**
 * Writes out what server-side apply needs to be explicit: `stringData` in `data` (a key taken out later must disappear
 * live, k8s#108008), and `protocol: TCP` on ports (part of their merge key, structured-merge-diff#130).
 * Changes the object.
 */
export function normalise({ object, where }: SourceObject, problems: Problems): void {
  const type = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (type === '/Secret') foldStringData(object, where, problems);
  if (type === '/Service') defaultProtocol(at(object, ['spec', 'ports']));
  const podSpec = POD_SPEC[type];
  if (podSpec === undefined) return;
  for (const field of CONTAINERS) {
    for (const container of list(at(object, [...podSpec, field]))) defaultProtocol(at(container, ['ports']));
  }
}

/** As the API server does on a write: the text wins over data of the same key. */
function foldStringData(secret: KubeObject, where: string, problems: Problems): void {
  const { stringData, data } = secret;
  if (stringData === undefined) return;
  delete secret['stringData'];
  if (stringData === null) return;
  if (!isMap(stringData) || (data !== undefined && data !== null && !isMap(data))) {
    problems.add({
      where,
      what: 'stringData and data of a Secret are maps',
      remedy: 'write them as key: "value"',
    });
    return;
  }
  const folded = { ...(isMap(data) ? data : {}) };
  for (const [key, text] of Object.entries(stringData)) {
    if (typeof text === 'string') folded[key] = Buffer.from(text, 'utf8').toString('base64');
    else problems.add({ where, what: `stringData ${quote(key)} is not text`, remedy: 'put it in quotes' });
  }
  secret['data'] = folded;
}

function defaultProtocol(ports: unknown): void {
  for (const port of list(ports)) {
    if (isMap(port)) port['protocol'] ??= 'TCP';
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, field) => (isMap(inner) ? inner[field] : undefined), value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
