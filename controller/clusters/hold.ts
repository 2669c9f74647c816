import type { Cluster } from '../../api/cluster.ts';
import { RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { SECRETS } from '../../kube/builtIn.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import { holdFinalizer, releaseFinalizer } from '../release/finalizer.ts';

/** A Cluster in use and its Secret cannot go: what Releases have applied there could not be taken back (api.md, "Cluster"). */
export async function holdCluster(
  client: KubeClient,
  cluster: Cluster,
  secret: KubeObject | undefined,
): Promise<Cluster> {
  if (secret !== undefined && !isGoing(secret)) await holdFinalizer(client, SECRETS, secret);
  return isGoing(cluster) ? cluster : await holdFinalizer(client, RESOURCES.Cluster, cluster);
}

/** @param secret undefined where it does not exist, or another Cluster in use has it too */
export async function releaseCluster(
  client: KubeClient,
  cluster: Cluster,
  secret: KubeObject | undefined,
): Promise<void> {
  if (secret !== undefined) await releaseFinalizer(client, SECRETS, secret);
  await releaseFinalizer(client, RESOURCES.Cluster, cluster).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** Nothing may be added to the finalizers of what is being deleted. */
function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}
