import { FINALIZER } from '../../api/annotations.ts';
import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';

/** Makes sure that an object cannot go before Convoy lets it: a Release not before its objects. Returns it as it is then. */
export async function holdFinalizer<T extends KubeObject>(
  client: KubeClient,
  resource: ApiResource,
  object: T,
): Promise<T> {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(FINALIZER)) return object;
  return await writeFinalizers(client, resource, object, [...finalizers, FINALIZER]);
}

/** Lets it go. One that is gone was let go before: a watch may tell of that late. */
export async function releaseFinalizer(
  client: KubeClient,
  resource: ApiResource,
  object: KubeObject,
): Promise<void> {
  const finalizers = object.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER)) return;
  await writeFinalizers(
    client,
    resource,
    object,
    finalizers.filter((finalizer) => finalizer !== FINALIZER),
  ).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** The resourceVersion makes it a conflict when somebody else changed the list meanwhile. */
async function writeFinalizers<T extends KubeObject>(
  client: KubeClient,
  resource: ApiResource,
  object: T,
  finalizers: string[],
): Promise<T> {
  const { name, namespace = '', resourceVersion } = object.metadata;
  const patch = { metadata: { resourceVersion, finalizers } };
  return await client.patch<T>(
    resource,
    { namespace, name },
    { type: 'merge', patch },
    { fieldManager: FIELD_MANAGER },
  );
}
