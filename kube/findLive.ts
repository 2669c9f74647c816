import type { KubeObject } from '../api/object.ts';
import type { GetOptions, KubeClient, ObjectName } from './client.ts';
import { isNotFound, isUnserved } from './errors.ts';
import type { ApiResource } from './resource.ts';
import { type LabelSelector, labelSelectorText } from './selector.ts';

/**
 * The object as it is on the cluster, undefined where it is absent.
 * @throws ApiError, ConnectionError; also for a type that is not served
 */
export async function findLive<T extends KubeObject = KubeObject>(
  client: KubeClient,
  resource: ApiResource,
  at: ObjectName,
  options: GetOptions = {},
): Promise<T | undefined> {
  try {
    return await client.get<T>(resource, at, options);
  } catch (error) {
    if (isNotFound(error) && !isUnserved(error)) return undefined;
    throw error;
  }
}

/** Objects of one namespace: the one of a name, or those that a selector matches. */
export interface Sought {
  namespace: string;
  name?: string | undefined;
  /** Where no name is given. An empty one matches all. */
  selector?: LabelSelector | undefined;
  /** Objects that are read at most. */
  limit: number;
}

/** What was found, in order of name. */
export interface FoundObjects<T> {
  items: T[];
  /** There are more than the limit. */
  more: boolean;
}

/**
 * Reads what is sought; nothing where there is none.
 * @throws ApiError, ConnectionError; TypeError for a selector that Kubernetes does not have
 */
export async function findObjects<T extends KubeObject>(
  client: KubeClient,
  resource: ApiResource,
  { namespace, name, selector = {}, limit }: Sought,
): Promise<FoundObjects<T>> {
  if (name !== undefined) {
    const found = await findLive<T>(client, resource, { namespace, name });
    return { items: found === undefined ? [] : [found], more: false };
  }
  const labelSelector = labelSelectorText(selector);
  const page = await client.list<T>(resource, { namespace, labelSelector, limit });
  const items = page.items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return { items, more: page.continue !== undefined };
}
