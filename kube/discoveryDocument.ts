import { isRecord, listOf, textOf } from './json.ts';
import type { ApiResource } from './resource.ts';

/** What one version of a group serves. */
export interface ServedVersion {
  version: string;
  /** Without subresources. */
  resources: ApiResource[];
  /** The API server could not ask the server behind this version: what `resources` lacks may exist nevertheless. */
  stale: boolean;
}

/** Versions by group, the preferred one first. */
export type ServedGroups = Map<string, ServedVersion[]>;

/** True for the answer of an API server that knows aggregated discovery (1.26 and later). */
export function isAggregated(body: unknown): boolean {
  return isRecord(body) && body['kind'] === 'APIGroupDiscoveryList';
}

/** Reads apidiscovery.k8s.io APIGroupDiscoveryList (v2 and v2beta1 are alike in what is read here). */
export function readAggregated(body: unknown): ServedGroups {
  const groups: ServedGroups = new Map();
  for (const item of recordsIn(body, 'items')) {
    const group = isRecord(item['metadata']) ? textOf(item['metadata']['name']) : '';
    groups.set(
      group,
      recordsIn(item, 'versions').map((version) => readAggregatedVersion(group, version)),
    );
  }
  return groups;
}

function readAggregatedVersion(group: string, served: Record<string, unknown>): ServedVersion {
  const version = textOf(served['version']);
  const resources = recordsIn(served, 'resources').map((resource) => ({
    group,
    version,
    kind: isRecord(resource['responseKind']) ? textOf(resource['responseKind']['kind']) : '',
    plural: textOf(resource['resource']),
    namespaced: resource['scope'] === 'Namespaced',
    verbs: verbsOf(resource),
  }));
  return { version, resources: resources.filter(isUsable), stale: served['freshness'] === 'Stale' };
}

/** Reads APIResourceList, where subresources stand among the resources: `pods/log`. */
export function readResourceList(group: string, version: string, body: unknown): ServedVersion {
  const resources = recordsIn(body, 'resources').map((resource) => ({
    group,
    version,
    kind: textOf(resource['kind']),
    plural: textOf(resource['name']),
    namespaced: resource['namespaced'] === true,
    verbs: verbsOf(resource),
  }));
  return { version, resources: resources.filter(isUsable), stale: false };
}

/** Reads APIVersions and APIGroupList: the versions by group, the preferred one first. */
export function readGroupVersions(body: unknown): Map<string, string[]> {
  if (isRecord(body) && body['kind'] === 'APIVersions')
    return new Map([['', listOf(body['versions']).map(textOf)]]);
  return new Map(recordsIn(body, 'groups').map((group) => [textOf(group['name']), orderedVersions(group)]));
}

function orderedVersions(group: Record<string, unknown>): string[] {
  const preferred = isRecord(group['preferredVersion']) ? textOf(group['preferredVersion']['version']) : '';
  const all = recordsIn(group, 'versions').map((version) => textOf(version['version']));
  return [
    ...all.filter((version) => version === preferred),
    ...all.filter((version) => version !== preferred),
  ];
}

/** Subresources and entries without a kind are nothing to apply or to watch. */
function isUsable({ kind, plural }: ApiResource): boolean {
  return kind !== '' && plural !== '' && !plural.includes('/');
}

function verbsOf(resource: Record<string, unknown>): string[] {
  return listOf(resource['verbs']).map(textOf);
}

function recordsIn(body: unknown, field: string): Record<string, unknown>[] {
  return isRecord(body) ? listOf(body[field]).filter(isRecord) : [];
}
