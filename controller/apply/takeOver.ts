import { FIELD_MANAGER } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { LAST_APPLIED, takenOver } from '../../engine/drift/takeOver.ts';
import type { KubeClient } from '../../kube/client.ts';
import { isConflict } from '../../kube/errors.ts';
import type { ApiResource } from '../../kube/resource.ts';

/** Controllers that write at the same time make it stale; they soon have done. */
const ATTEMPTS = 5;

/**
 * Takes over, once an object is adopted, the fields that kubectl had written on it: the next apply removes those that the
 * render does not have (edge case 9). Nothing is asked where there are none.
 * @param applied the object as the apply has left it
 * @returns whether it is to be applied again
 * @throws ApiError, ConnectionError
 */
export async function takeOverFields(
  client: KubeClient,
  resource: ApiResource,
  applied: KubeObject,
  signal: AbortSignal,
): Promise<boolean> {
  let live = applied;
  for (let attempt = 1; ; attempt++) {
    const managedFields = takenOver(live, FIELD_MANAGER);
    if (managedFields === undefined) return attempt > 1;
    try {
      await client.patch(resource, live.metadata, handOver(live, managedFields), {
        fieldManager: FIELD_MANAGER,
        signal,
      });
      return true;
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      live = await client.get(resource, live.metadata, { signal });
    }
  }
}

function handOver({ metadata }: KubeObject, managedFields: object[]): { type: 'json'; patch: object[] } {
  const annotation = LAST_APPLIED.replaceAll('/', '~1');
  const isAnnotated = metadata.annotations?.[LAST_APPLIED] !== undefined;
  return {
    type: 'json',
    patch: [
      { op: 'replace', path: '/metadata/managedFields', value: managedFields },
      { op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      ...(isAnnotated ? [{ op: 'remove', path: `/metadata/annotations/${annotation}` }] : []),
    ],
  };
}
