import type { KubeObject } from '../../api/object.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isNotFound, isUnserved } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';

/**
 * The object as it is on the cluster, undefined where it is absent.
 * @throws ApiError, ConnectionError; also for a type that is not served
 */
export async function findLive(
  client: KubeClient,
  resource: ApiResource,
  at: ObjectName,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(resource, at, { signal });
  } catch (error) {
    if (isNotFound(error) && !isUnserved(error)) return undefined;
    throw error;
  }
}
