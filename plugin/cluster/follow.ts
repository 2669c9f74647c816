import { RELEASE_LABEL } from '../../api/annotations.ts';
import { RESOURCES } from '../../api/group.ts';
import type { ReleaseInventory } from '../../api/inventory.ts';
import { labelValue } from '../../api/labelValue.ts';
import type { KubeObject } from '../../api/object.ts';
import type { Release } from '../../api/release.ts';
import { ApiError } from '../../kube/errors.ts';
import { listWatchOf, type Scope } from '../../kube/listWatch.ts';
import { Reflector } from '../../kube/reflector.ts';
import type { ApiResource } from '../../kube/resource.ts';
import { byRelease, type InventoryView } from './inventory.ts';
import type { Session } from './session.ts';

/** Releases and what they hold, as last seen. */
export interface Followed {
  /** In order of namespace and name. */
  releases(): Release[];
  inventoryOf(release: Release): InventoryView;
}

export interface FollowScope {
  /** Undefined: all namespaces. */
  namespace: string | undefined;
  /** Undefined: all Releases there. */
  name: string | undefined;
}

export interface FollowOptions {
  /** Called after each change. */
  changed: () => void;
  signal: AbortSignal;
}

/**
 * Follows Releases and their inventories by watches, which go on where they are cut. Runs `use` once the first state is
 * there, and ends with it. Inventories that may not be read are told as such.
 * @throws what the first list throws, what `use` throws, and the reason of the signal
 */
export async function followReleases<T>(
  { client }: Session,
  { namespace, name }: FollowScope,
  { changed, signal }: FollowOptions,
  use: (followed: Followed) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const until = AbortSignal.any([signal, end.signal]);
  const where = namespace === undefined ? {} : { namespace };
  const named = name === undefined ? {} : { fieldSelector: `metadata.name=${name}` };
  const ofNamed = name === undefined ? {} : { labelSelector: `${RELEASE_LABEL}=${labelValue(name)}` };
  const mirror = { client, changed, signal: until };
  const releases = startMirror<Release>(RESOURCES.Release, { ...where, ...named }, mirror);
  const shards = startMirror<ReleaseInventory>(RESOURCES.ReleaseInventory, { ...where, ...ofNamed }, mirror);
  try {
    await releases.first;
    const refusal = await refusalOf(shards.first);
    return await use({
      releases: () => releases.list().sort(byName),
      inventoryOf: (release) => refusal ?? byRelease(shards.list())(release),
    });
  } finally {
    end.abort();
    await Promise.all([releases.ended, shards.ended]);
  }
}

interface Mirror<T> {
  list(): T[];
  /** Resolves when the first state is there; rejects with the fault that came instead. */
  first: Promise<unknown>;
  ended: Promise<void>;
}

/** A fault before the first state is told; later ones the reflector gets over by itself. */
function startMirror<T extends KubeObject>(
  resource: ApiResource,
  scope: Scope,
  { client, changed, signal }: Pick<Session, 'client'> & FollowOptions,
): Mirror<T> {
  const first = Promise.withResolvers<unknown>();
  const reflector = new Reflector<T>(listWatchOf<T>(client, resource, scope), {
    onFault: ({ error }) => first.reject(error),
  });
  reflector.synced.then(first.resolve, first.reject);
  reflector.addHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
  // Whoever waits for the other mirror first must not be ended by this one.
  first.promise.catch(() => undefined);
  return { list: () => reflector.list(), first: first.promise, ended: reflector.run(signal) };
}

async function refusalOf(first: Promise<unknown>): Promise<{ unreadable: string } | undefined> {
  try {
    await first;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { unreadable: error.serverMessage };
  }
}

function byName({ metadata: a }: Release, { metadata: b }: Release): number {
  return compare(a.namespace ?? '', b.namespace ?? '') || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
