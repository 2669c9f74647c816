import { RELEASE_LABEL } from '../../../api/annotations.ts';
import { API_VERSION, RESOURCES } from '../../../api/group.ts';
import type { InventoryEntry } from '../../../api/inventory.ts';
import type { Release, ReleaseSpec, ReleaseStatus } from '../../../api/release.ts';
import { resourcePath } from '../../../kube/resource.ts';
import type { ApiAccess } from '../../controlplane/apiAccess.ts';

/** A Release whose status and inventory the test writes, as a controller would. */
export interface Handmade {
  namespace: string;
  name: string;
  spec?: Partial<ReleaseSpec>;
  labels?: Record<string, string>;
  status?: ReleaseStatus;
  entries?: readonly InventoryEntry[];
}

/** Creates it, suspended unless its spec says otherwise, so that a controller would leave it alone. */
export async function createHandmade(api: ApiAccess, release: Handmade): Promise<Release> {
  const { namespace, name, spec = {}, labels = {}, status, entries } = release;
  const created = (await api.must('POST', resourcePath(RESOURCES.Release, namespace), {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name, labels },
    spec: { source: { inline: 'x' }, suspend: true, ...spec },
  })) as unknown as Release;
  if (entries !== undefined) await createShard(api, created, entries);
  return status === undefined ? created : await writeStatus(api, created, status);
}

/** Merges into the status; the generation that it speaks of is the present one. */
export async function writeStatus(api: ApiAccess, release: Release, status: ReleaseStatus): Promise<Release> {
  const { namespace, name, generation = 1 } = release.metadata;
  const path = resourcePath(RESOURCES.Release, namespace, name, 'status');
  return (await api.must('PATCH', path, {
    status: { observedGeneration: generation, ...status },
  })) as unknown as Release;
}

async function createShard(
  api: ApiAccess,
  release: Release,
  entries: readonly InventoryEntry[],
): Promise<void> {
  const { namespace = '', name, uid = '' } = release.metadata;
  await api.must('POST', resourcePath(RESOURCES.ReleaseInventory, namespace), {
    apiVersion: API_VERSION,
    kind: 'ReleaseInventory',
    metadata: { name: `${uid}-0`, labels: { [RELEASE_LABEL]: name } },
    spec: { shard: 0, entries },
  });
}
