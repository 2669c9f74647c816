import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';

/** Deletes an object of Convoy's own, which carries its finalizer, and lets it go. One that is gone is no error. */
export async function removeOwn(client: KubeClient, resource: ApiResource, ref: ObjectName): Promise<void> {
  const letGo = { type: 'merge', patch: { metadata: { finalizers: null } } } as const;
  await client.delete(resource, ref, { propagationPolicy: 'Background' }).catch(unlessGone);
  await client.patch(resource, ref, letGo, { fieldManager: FIELD_MANAGER }).catch(unlessGone);
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
