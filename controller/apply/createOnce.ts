import { FIELD_MANAGER } from '../../api/group.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import { findLive } from '../../kube/findLive.ts';
import type { TargetCluster } from '../cluster.ts';
import { resourceOf, type Sendable, type SendOptions, type Sent, whenServed } from './applyObject.ts';

/**
 * `update-policy: Once`: creates an object that is absent, and leaves one that exists as it is. It is no apply, which
 * would change what somebody else creates in the same instant.
 * @throws as applyObject
 */
export async function createOnce(
  cluster: TargetCluster,
  { object, body }: Sendable,
  options: SendOptions,
): Promise<Sent> {
  const { client } = cluster;
  const { dryRun = false, signal } = options;
  const resource = await resourceOf(cluster, object);
  return await whenServed(cluster, { object, resource }, options, async () => {
    const found = await findLive(client, resource, object.metadata, { signal });
    if (found !== undefined) return { object: found, resource, created: false };
    try {
      const create = { fieldManager: FIELD_MANAGER, dryRun, body, signal };
      return { object: await client.create(resource, object, create), resource, created: true };
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return { object: await client.get(resource, object.metadata, { signal }), resource, created: false };
    }
  });
}
