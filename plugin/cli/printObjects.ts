import { groupOf, type KubeObject } from '../../api/object.ts';
import type { Output } from './flags.ts';

/** Formats that print what the API server said instead of a view. */
export type DataOutput = Extract<Output, 'json' | 'yaml' | 'name'>;

export function isDataOutput(output: Output): output is DataOutput {
  return output === 'json' || output === 'yaml' || output === 'name';
}

/** Data as JSON or YAML text. The YAML library is loaded for YAML alone. */
export async function dataText(data: unknown, output: 'json' | 'yaml'): Promise<string> {
  if (output === 'json') return `${JSON.stringify(data, undefined, 4)}\n`;
  const { stringify } = await import('yaml');
  // As kubectl writes it: YAML 1.1 readers must not take text for a number or a boolean; long lines stay whole.
  return stringify(data, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

/** One object as it is, without the fields that only managers read, as kubectl leaves them out. */
export async function objectText(object: KubeObject, output: DataOutput): Promise<string> {
  return output === 'name' ? `${nameText(object)}\n` : await dataText(withoutManagedFields(object), output);
}

/** Several objects as a List, or one name a line. */
export async function objectsText(objects: readonly KubeObject[], output: DataOutput): Promise<string> {
  if (output === 'name') return objects.map((object) => `${nameText(object)}\n`).join('');
  const list = { apiVersion: 'v1', items: objects.map(withoutManagedFields), kind: 'List', metadata: {} };
  return await dataText(list, output);
}

/** `release.core.convoy.kumodo.io/podinfo`, as kubectl prints it. */
function nameText({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name}`;
}

function withoutManagedFields(object: KubeObject): KubeObject {
  const metadata = Object.entries(object.metadata).filter(([field]) => field !== 'managedFields');
  return { ...object, metadata: Object.fromEntries(metadata) as unknown as KubeObject['metadata'] };
}
