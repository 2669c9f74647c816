import { API_VERSION } from '../../api/group.ts';
import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';
import { refuseCanary } from './canary.ts';

const COLLECTIONS = [
  { path: '/apis/events.k8s.io/v1', plural: 'events' },
  { path: `/apis/${API_VERSION}`, plural: 'releaseinventories' },
] as const;

/**
 * Searches what Convoy tells in a namespace: Events, inventories, statuses and annotations of Releases.
 * @throws Error where one tells the canary
 */
export async function searchNamespace(api: ApiAccess, namespace: string): Promise<void> {
  for (const { path, plural } of COLLECTIONS) {
    for (const object of await list(api, `${path}/namespaces/${namespace}/${plural}`))
      refuseCanary(`${plural} ${object.metadata.name}`, JSON.stringify(object));
  }
  // The source may hold it, and so does what a client has applied.
  for (const release of await list(api, `/apis/${API_VERSION}/namespaces/${namespace}/releases`))
    refuseCanary(`the status of Release ${release.metadata.name}`, JSON.stringify(release['status'] ?? {}));
}

/** None where the cluster has no such kind. */
async function list(api: ApiAccess, path: string): Promise<ApiObject[]> {
  const { status, body } = await api.request('GET', path);
  return status === 200 ? (body as unknown as { items: ApiObject[] }).items : [];
}
