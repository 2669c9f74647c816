import { describe, keyOf, type KubeObject } from '../../api/object.ts';
import { sortObjects } from '../render/canonical.ts';
import { type ObjectAnnotations, readAnnotations } from './annotations.ts';
import { NeedsIndex } from './needs.ts';

/**
 * Checks the consistency rules of waves.md: no object has a lower wave than what it cannot exist without, nor is it
 * deleted after that; and none is purged before it is applied.
 * @returns a message for each breach, naming both objects, both orders and the remedy; none where the order holds
 */
export function orderProblems(objects: readonly KubeObject[]): string[] {
  const index = new NeedsIndex(objects);
  return sortObjects(objects).flatMap((object) => {
    const own = readAnnotations(object);
    // Its wave is its place among the hooks of its phase.
    if (own.hook !== undefined) return [];
    const { type, namespace } = index.of(object);
    return [
      ...purgeProblems(object, own),
      ...(type === undefined ? [] : pairProblems(object, own, type, 'its type')),
      ...(namespace === undefined ? [] : pairProblems(object, own, namespace, 'its namespace')),
    ];
  });
}

function pairProblems(
  object: KubeObject,
  own: ObjectAnnotations,
  needed: KubeObject,
  role: string,
): string[] {
  const name = describe(keyOf(object));
  const neededName = describe(keyOf(needed));
  const other = readAnnotations(needed);
  const problems: string[] = [];
  if (own.wave < other.wave) {
    problems.push(
      `${name} (wave ${own.wave}) would be applied before ${role} ${neededName} (wave ${other.wave}): ` +
        `give it sync-wave ${other.wave} or higher, or ${neededName} ${own.wave} or lower`,
    );
  }
  if (own.deleteOrder > other.deleteOrder) {
    problems.push(
      `${name} (delete-order ${own.deleteOrder}) would be deleted after ${role} ${neededName} ` +
        `(delete-order ${other.deleteOrder}): give it delete-order ${other.deleteOrder} or lower, ` +
        `or ${neededName} ${own.deleteOrder} or higher`,
    );
  }
  return problems;
}

function purgeProblems(object: KubeObject, { wave, purgeOrder }: ObjectAnnotations): string[] {
  if (purgeOrder === undefined || purgeOrder >= wave) return [];
  const name = describe(keyOf(object));
  return [
    `${name} (wave ${wave}) would be purged before it is applied (purge-order ${purgeOrder}): give it purge-order ${wave} or higher`,
  ];
}
