import { API_VERSION, FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import type { Release, ReleaseStatus } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';

/**
 * Writes the status by server-side apply with the resourceVersion that was read, so that a stale leader gets a conflict
 * (api.md). An equal status costs no request.
 * @returns the Release as it is then; undefined where there was nothing to write
 * @throws ApiError 409 when the Release changed meanwhile: read again and decide again
 */
export async function writeStatus(
  client: KubeClient,
  release: Release,
  status: ReleaseStatus,
): Promise<Release | undefined> {
  if (equal(release.status ?? {}, status)) return undefined;
  const { name, namespace = '', uid = '', resourceVersion = '' } = release.metadata;
  const object = {
    apiVersion: API_VERSION,
    kind: 'Release',
    metadata: { name, namespace, uid, resourceVersion },
    status,
  };
  const written = await client.apply(RESOURCES.Release, object, {
    fieldManager: FIELD_MANAGER,
    force: true,
    subresource: 'status',
  });
  return written.object as unknown as Release;
}

function equal(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys: the API server keeps its own order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
