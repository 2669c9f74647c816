import { FINALIZER } from '../../api/annotations.ts';
import { FIELD_MANAGER, RESOURCES } from '../../api/group.ts';
import type { Release } from '../../api/release.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';

/** Makes sure that the Release cannot go before its objects. Returns it as it is then. */
export async function holdFinalizer(client: KubeClient, release: Release): Promise<Release> {
  const finalizers = release.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER)) return release;
  return await writeFinalizers(client, release, [...finalizers, FINALIZER]);
}

/** Lets the Release go. One that is gone was let go before: a watch may tell of that late. */
export async function releaseFinalizer(client: KubeClient, release: Release): Promise<void> {
  const finalizers = release.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER)) return;
  await writeFinalizers(
    client,
    release,
    finalizers.filter((finalizer) => finalizer !== FINALIZER),
  ).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** The resourceVersion makes it a conflict when somebody else changed the list meanwhile. */
async function writeFinalizers(client: KubeClient, release: Release, finalizers: string[]): Promise<Release> {
  const { name, namespace = '', resourceVersion } = release.metadata;
  const patch = { metadata: { resourceVersion, finalizers } };
  return await client.patch<Release>(
    RESOURCES.Release,
    { namespace, name },
    { type: 'merge', patch },
    { fieldManager: FIELD_MANAGER },
  );
}
