import { PREFIX } from '../../api/annotations.ts';
import { API_VERSION, FIELD_MANAGER } from '../../api/group.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import type { Release } from '../../api/release.ts';
import type { ApiAccess, ApiObject } from '../controlplane/apiAccess.ts';
import { idOf, type World } from '../model/world.ts';
import { releasesPath } from '../support/releases.ts';

/** The type of Secrets that hold renders. */
const RENDER = `${PREFIX}render`;

/** What a step of a Release leaves behind, by object, without what differs from run to run: names, UIDs, times. */
export type EndState = Record<string, unknown>;

/**
 * Fields of all live objects in some collections, the inventory and the status of a Release.
 * @param collections paths; one that is not served holds nothing
 */
export async function endState(
  api: ApiAccess,
  world: World,
  name: string,
  collections: readonly string[],
): Promise<EndState> {
  const { live, renders } = await liveObjects(api, collections, world);
  const { status, body } = await api.request('GET', `${releasesPath(world.home)}/${name}`);
  const release = status === 404 ? undefined : (body as unknown as Release);
  const state = {
    ...Object.fromEntries([...live].map(([id, object]) => [id, contentOf(id, object)])),
    ...(await inventoryState(api, world, live)),
    renders: renders.map((secret) => JSON.stringify(renderState(secret, release))).sort(),
    ...(release === undefined ? {} : { release: statusOf(release) }),
  };
  const renderRef = release?.status?.lastAttempted?.renderRef ?? 'none';
  const text = JSON.stringify(sorted(state)).replaceAll(world.home, 'HOME').replaceAll(renderRef, 'RENDER');
  return JSON.parse(text) as EndState;
}

/** Each thing in which two states differ, with both. */
export function differences(state: EndState, expected: EndState): string[] {
  const keys = new Set([...Object.keys(state), ...Object.keys(expected)]);
  return [...keys].flatMap((key) => differencesAt(key, state[key], expected[key]));
}

function differencesAt(path: string, one: unknown, other: unknown): string[] {
  if (text(one) === text(other)) return [];
  if (!isMap(one) || !isMap(other)) return [`${path} is ${text(one)}, not ${text(other)}`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differencesAt(`${path} ${key}`, one[key], other[key]));
}

function text(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

async function liveObjects(
  api: ApiAccess,
  collections: readonly string[],
  world: World,
): Promise<{ live: Map<string, ApiObject>; renders: ApiObject[] }> {
  const found = new Map<string, ApiObject>();
  const renders: ApiObject[] = [];
  for (const collection of collections) {
    const { status, body } = await api.request('GET', collection);
    if (status === 404) continue;
    if (status !== 200) throw new Error(`GET ${collection}: ${status} ${JSON.stringify(body)}`);
    const kind = String(body.kind).replace(/List$/, '');
    for (const object of body['items'] as ApiObject[]) {
      const { name, namespace = '' } = object.metadata;
      const isOfWorld = namespace !== '' || name === world.own || name === `boats.${world.group}`;
      if (object['type'] === RENDER) renders.push(object);
      else if (isOfWorld) found.set(idOf({ kind, namespace, name }), object);
    }
  }
  return { live: found, renders };
}

/** A Secret that holds a render, which is another one in each run. */
function renderState({ metadata, immutable }: ApiObject, release: Release | undefined): unknown {
  const refs = (release?.status?.history ?? []).map(({ renderRef }) => renderRef.replace('sha256:', ''));
  return {
    immutable,
    finalizers: metadata['finalizers'],
    ofHistory: refs.findIndex((ref) => metadata.name.includes(ref)),
  };
}

/** Fields of a spec that the API server or a controller fills in anew for each object. */
const OF_RUN: Readonly<Record<string, readonly string[]>> = {
  services: ['clusterIP', 'clusterIPs'],
};

function contentOf(id: string, object: ApiObject): unknown {
  const { metadata, ...rest } = object;
  delete rest['status'];
  const { uid, resourceVersion, creationTimestamp, managedFields, ...stable } = metadata;
  const applied = (managedFields as { manager: string; fieldsV1: unknown }[] | undefined)?.filter(
    ({ manager }) => manager === FIELD_MANAGER,
  );
  const spec = isMap(rest['spec']) ? { ...rest['spec'] } : undefined;
  for (const field of OF_RUN[id.split('/', 1).join('')] ?? []) delete spec?.[field];
  return {
    ...rest,
    ...(spec === undefined ? {} : { spec }),
    metadata: { ...stable, applied: applied?.map(({ fieldsV1 }) => fieldsV1) },
    isDated: [uid, resourceVersion, creationTimestamp].every((value) => value !== undefined),
  };
}

/** By entry, and whether its UID is that of the live object. */
async function inventoryState(
  api: ApiAccess,
  { home }: World,
  live: ReadonlyMap<string, ApiObject>,
): Promise<Record<string, unknown>> {
  const list = await api.must('GET', `/apis/${API_VERSION}/namespaces/${home}/releaseinventories`);
  const shards = list['items'] as ReleaseInventory[];
  const entries = shards.flatMap(({ spec }) => spec.entries);
  return Object.fromEntries(
    entries.map(({ uid, health, ...entry }) => {
      const state = {
        ...entry,
        health: health && { ...health, since: undefined },
        hasTrueUid: uid === live.get(idOf(entry))?.metadata.uid,
      };
      return [`inventory of ${idOf(entry)}`, state];
    }),
  );
}

function statusOf({ metadata, status = {} }: Release): unknown {
  const {
    conditions = [],
    waves = [],
    health,
    inventory,
    lastSuccessful,
    lastHealthy,
    lastAttempted,
  } = status;
  return {
    finalizers: metadata.finalizers,
    conditions: conditions.map(({ type, status: value, reason, message }) => ({
      type,
      value,
      reason,
      message,
    })),
    waves: waves.map(({ startedAt, completedAt, ...wave }) => ({
      ...wave,
      isTimed: startedAt !== '' && completedAt !== undefined,
    })),
    health,
    inventory,
    renders: [lastSuccessful, lastHealthy, lastAttempted].map((record) => record?.renderRef),
    failure: lastAttempted?.failure,
    history: status.history?.map(({ number }) => number),
  };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
