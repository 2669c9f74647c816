import { FIELD_MANAGER } from '../api/group.ts';
import type { KubeObject } from '../api/object.ts';
import type { KubeClient } from '../kube/client.ts';
import type { ApiResource } from '../kube/resource.ts';

/**
 * Writes a status by server-side apply with the resourceVersion that was read, so that a stale leader gets a conflict
 * (api.md). An equal status costs no request.
 * @returns the object as it is then; undefined where there was nothing to write
 * @throws ApiError 409 when the object changed meanwhile: read again and decide again
 */
export async function writeStatus<S extends object, T extends KubeObject & { status?: S }>(
  client: KubeClient,
  resource: ApiResource,
  object: T,
  status: S,
): Promise<T | undefined> {
  if (equal(object.status ?? {}, status)) return undefined;
  const { apiVersion, kind } = object;
  const { name, namespace, uid = '', resourceVersion = '' } = object.metadata;
  const metadata = { name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) };
  const body = { apiVersion, kind, metadata, status };
  const written = await client.apply(resource, body, {
    fieldManager: FIELD_MANAGER,
    force: true,
    subresource: 'status',
  });
  return written.object as KubeObject as T;
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
