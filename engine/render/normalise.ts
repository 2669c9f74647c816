import { groupOf, type KubeObject } from '../../api/object.ts';
import type { Problems } from './errors.ts';
import { leaveToOthers } from './filledIn.ts';
import { isMap, type SourceObject } from './objects.ts';
import { containersOf, listAt } from './podSpec.ts';
import { quote } from './syntax.ts';

/**
 * Writes out what server-side apply needs to be explicit: `stringData` in `data` (a key taken out later must disappear
 * live, k8s#108008), and `protocol: TCP` on ports (part of their merge key, structured-merge-diff#130); and takes out what
 * others fill in. Changes the object.
 */
export function normalise({ object, where }: SourceObject, problems: Problems): void {
  const type = `${groupOf(object.apiVersion)}/${object.kind}`;
  if (type === '/Secret') foldStringData(object, where, problems);
  if (type === '/Service') defaultProtocol(object, ['spec', 'ports']);
  for (const container of containersOf(object)) defaultProtocol(container, ['ports']);
  leaveToOthers(object);
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

function defaultProtocol(object: unknown, ports: readonly string[]): void {
  for (const port of listAt(object, ports)) {
    if (isMap(port)) port['protocol'] ??= 'TCP';
  }
}
