import type { ReleaseInventory } from '../../api/inventory.ts';
import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from '../../api/annotations.ts';
import { API_VERSION } from '../../api/group.ts';
import { groupOf, keyString } from '../../api/object.ts';
import { entryKey } from '../../controller/inventory/inventory.ts';
import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';

interface ResourceList {
  resources: { name: string; kind: string; verbs: string[] }[];
}

/** `group|kind|namespace|name` → UID. */
export type Identities = Map<string, string>;

/** Every object of any type that carries the labels of a Release, found without the program under test. */
export async function labelledObjects(
  api: ApiAccess,
  release: { namespace: string; name: string },
): Promise<Identities> {
  const selector = encodeURIComponent(
    `${RELEASE_LABEL}=${release.name},${RELEASE_NAMESPACE_LABEL}=${release.namespace}`,
  );
  return await objectsOf(api, `?labelSelector=${selector}`, ['ReleaseInventory', 'Endpoints']);
}

/** Every object of any type, but what Kubernetes itself makes and removes in its own time. */
export async function allObjects(api: ApiAccess): Promise<Identities> {
  return await objectsOf(api, '', [
    'Event',
    'Lease',
    'Endpoints',
    'EndpointSlice',
    'APIService',
    'IPAddress',
  ]);
}

async function objectsOf(api: ApiAccess, query: string, ignored: readonly string[]): Promise<Identities> {
  const found: Identities = new Map();
  for (const version of await groupVersions(api)) {
    const { body, status } = await api.request('GET', version.path);
    if (status !== 200) continue;
    for (const { name, kind, verbs } of (body as unknown as ResourceList).resources) {
      if (name.includes('/') || !verbs.includes('list') || ignored.includes(kind)) continue;
      const list = await api.must('GET', `${version.path}/${name}${query}`);
      for (const { metadata } of list['items'] as ApiObject[]) {
        // Kubernetes copies a Service's labels to its EndpointSlices: nobody applied those.
        if (metadata['ownerReferences'] !== undefined) continue;
        const key = {
          group: groupOf(version.name),
          kind,
          namespace: metadata.namespace ?? '',
          name: metadata.name,
        };
        found.set(keyString(key), metadata.uid ?? '');
      }
    }
  }
  return found;
}

/** What a Release's inventory lists. */
export async function inventoryOf(
  api: ApiAccess,
  release: { namespace: string; uid: string },
): Promise<Identities> {
  const listed: Identities = new Map();
  const list = await api.must(
    'GET',
    `/apis/${API_VERSION}/namespaces/${release.namespace}/releaseinventories`,
  );
  for (const shard of list['items'] as ReleaseInventory[]) {
    if (!shard.metadata.name.startsWith(release.uid)) continue;
    for (const entry of shard.spec.entries) listed.set(keyString(entryKey(entry)), entry.uid ?? '');
  }
  return listed;
}

async function groupVersions(api: ApiAccess): Promise<{ name: string; path: string }[]> {
  const groups = (await api.must('GET', '/apis'))['groups'] as {
    preferredVersion: { groupVersion: string };
  }[];
  const named = groups.map(({ preferredVersion: { groupVersion } }) => ({
    name: groupVersion,
    path: `/apis/${groupVersion}`,
  }));
  return [{ name: 'v1', path: '/api/v1' }, ...named];
}
