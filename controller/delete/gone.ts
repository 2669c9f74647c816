import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import { isNotFound } from '../../kube/errors.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Deletable } from './judge.ts';

/**
 * Waits until the objects, which are being deleted, are gone; the signal ends the wait.
 * @returns those that are still there
 */
export async function awaitGone(
  cluster: TargetCluster,
  going: Deletable[],
  signal: AbortSignal,
): Promise<Deletable[]> {
  const remaining = new Set(going);
  const byPlace = Map.groupBy(
    going,
    ({ resource, key }) => `${resource.group}/${resource.plural}/${key.namespace}`,
  );
  await Promise.all([...byPlace.values()].map((group) => awaitGroup(cluster, group, remaining, signal)));
  return [...remaining];
}

/** One watch for all that go from one place, opened before each is looked at once: nothing can slip between. */
async function awaitGroup(
  cluster: TargetCluster,
  group: Deletable[],
  remaining: Set<Deletable>,
  signal: AbortSignal,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const { resource, key } = first;
  const place = key.namespace === '' ? {} : { namespace: key.namespace };
  const only = group.length === 1 ? { fieldSelector: `metadata.name=${key.name}` } : {};
  while (group.some((target) => remaining.has(target))) {
    try {
      const resourceVersion = await lookAgain(cluster, group, remaining, signal);
      if (resourceVersion === undefined) return;
      for await (const event of cluster.client.watch(resource, {
        ...place,
        ...only,
        resourceVersion,
        signal,
      })) {
        if (event.type === 'DELETED') forget(group, remaining, event.object);
        if (!group.some((target) => remaining.has(target))) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }
}

/**
 * Reads each remaining object: gone or made anew counts as gone.
 * @returns the lowest resourceVersion that was seen, to watch from; undefined when none is left
 */
async function lookAgain(
  cluster: TargetCluster,
  group: Deletable[],
  remaining: Set<Deletable>,
  signal: AbortSignal,
): Promise<string | undefined> {
  let lowest: bigint | undefined;
  for (const target of group.filter((candidate) => remaining.has(candidate))) {
    const { namespace, name } = target.key;
    const live = await cluster.client
      .get(target.resource, { namespace, name }, { signal })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
    if (live === undefined || live.metadata.uid !== target.live.metadata.uid) {
      remaining.delete(target);
      continue;
    }
    target.live = live;
    const version = BigInt(live.metadata.resourceVersion ?? '0');
    if (lowest === undefined || version < lowest) lowest = version;
  }
  return lowest?.toString();
}

function forget(group: Deletable[], remaining: Set<Deletable>, object: KubeObject): void {
  for (const target of group) if (target.live.metadata.uid === object.metadata.uid) remaining.delete(target);
}

/** Objects that a message names before it only counts. */
const NAMED = 5;

interface NamespaceStatus {
  conditions?: { type: string; status: string; message?: string }[];
}

/** What is waited for in a deletion, and what holds it. */
export function blockers(objects: KubeObject[]): string {
  const lines = objects
    .slice(0, NAMED)
    .map((object) => `${describe(keyOf(object))} is being deleted: ${holder(object)}`);
  if (objects.length > NAMED) lines.push(`and ${objects.length - NAMED} more`);
  return lines.join('\n');
}

function holder(object: KubeObject): string {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.length > 0) return `held by its finalizers ${finalizers.join(', ')}`;
  const { conditions = [] } = (object['status'] ?? {}) as NamespaceStatus;
  const remaining = conditions
    .filter(({ status, message }) => status === 'True' && message !== undefined)
    .map(({ message }) => message);
  return remaining.length > 0 ? remaining.join('; ') : 'it is still there';
}
