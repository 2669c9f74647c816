import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import { followObjects } from '../../kube/followObjects.ts';
import type { TargetCluster } from '../cluster.ts';
import type { Deletable } from './judge.ts';
import { outlineOf } from './outline.ts';

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

/** One watch for all that go from one place. An object made anew under the name counts as gone. */
async function awaitGroup(
  { watcher: client }: TargetCluster,
  group: Deletable[],
  remaining: Set<Deletable>,
  signal: AbortSignal,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const { resource, key } = first;
  const byName = new Map(group.map((target) => [target.key.name, target]));
  await followObjects({
    client,
    resource,
    ...(key.namespace === '' ? {} : { namespace: key.namespace }),
    ...(group.length === 1 ? { fieldSelector: `metadata.name=${key.name}` } : {}),
    names: () => group.filter((target) => remaining.has(target)).map((target) => target.key.name),
    seen: (name, object) => {
      const target = byName.get(name);
      if (target === undefined) return;
      if (object === undefined || object.metadata.uid !== target.live.metadata.uid) remaining.delete(target);
      else target.live = outlineOf(object);
    },
    signal,
  });
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
