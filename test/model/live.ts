import { PREFIX } from '../../api/annotations.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import { API_VERSION } from '../../api/group.ts';
import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';
import type { ModelObject } from './releaseModel.ts';
import { annotationsOf } from './scenario.ts';
import { collectionsOf, idOf, type World } from './world.ts';

/**
 * Convoy's annotations on each live object of a world, by id; what Kubernetes itself puts into a namespace left out, and the
 * renders that are kept.
 */
export async function liveIn(api: ApiAccess, world: World): Promise<Map<string, ApiObject>> {
  const found = new Map<string, ApiObject>();
  for (const collection of collectionsOf(world)) {
    const { status, body } = await api.request('GET', collection);
    if (status === 404) continue;
    if (status !== 200) throw new Error(`GET ${collection}: ${status} ${JSON.stringify(body)}`);
    const kind = String(body.kind).replace(/List$/, '');
    for (const object of body['items'] as ApiObject[]) {
      const { name, namespace = '' } = object.metadata;
      const isOurs = namespace !== '' || name === world.own || name === `boats.${world.group}`;
      const isApplied = object['type'] !== 'convoy.kumodo.io/render';
      if (isOurs && isApplied && !['kube-root-ca.crt', 'default'].includes(name))
        found.set(idOf({ kind, namespace, name }), object);
    }
  }
  return found;
}

/** What is compared of live objects: their ids and what Convoy was told about them. */
export function summary(live: ReadonlyMap<string, ApiObject>): Record<string, unknown> {
  return sorted(
    [...live].map(([id, { metadata }]) => {
      const annotations = Object.entries(metadata['annotations'] ?? {}) as [string, string][];
      return [id, Object.fromEntries(annotations.filter(([key]) => key.startsWith(PREFIX)))];
    }),
  );
}

/** The same of the model. */
export function expectedSummary(
  objects: ReadonlyMap<string, ModelObject>,
  foreign: readonly string[],
): Record<string, unknown> {
  const ours = [...objects].map(([id, object]): [string, unknown] => [id, annotationsOf(object)]);
  return sorted([...ours, ...foreign.map((id): [string, unknown] => [id, {}])]);
}

/** Wave, delete-order and UID of each entry of the inventories in a namespace. */
export async function inventoryIn(api: ApiAccess, { home }: World): Promise<Record<string, unknown>> {
  const list = await api.must('GET', `/apis/${API_VERSION}/namespaces/${home}/releaseinventories`);
  const entries = (list['items'] as ReleaseInventory[]).flatMap(({ spec }) => spec.entries);
  return sorted(
    entries.map((entry) => {
      const { wave, deleteOrder = 0, uid } = entry;
      return [idOf(entry), { wave, deleteOrder, uid }];
    }),
  );
}

/** The same of the model, with the UIDs of the live objects. */
export function expectedInventory(
  objects: ReadonlyMap<string, ModelObject>,
  live: ReadonlyMap<string, ApiObject>,
): Record<string, unknown> {
  return sorted(
    [...objects].map(([id, { wave, deleteOrder }]) => [
      id,
      { wave, deleteOrder, uid: live.get(id)?.metadata.uid },
    ]),
  );
}

function sorted(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
