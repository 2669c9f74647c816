import { createHash } from 'node:crypto';
import type { KubeObject } from '../../api/object.ts';
import { canonicalJson, sortObjects } from './canonical.ts';

/**
 * Names a render by its content (rollout.md): `sha256:<hex>` of the canonical JSON of its objects in the order of a
 * render, after mutations and with their namespaces. The order of files and keys does not count; every value does.
 */
export function renderRefOf(objects: readonly KubeObject[]): string {
  const hash = createHash('sha256');
  let separator = '[';
  for (const object of sortObjects(objects)) {
    hash.update(separator).update(canonicalJson(object));
    separator = ',';
  }
  if (separator === '[') hash.update('[');
  return `sha256:${hash.update(']').digest('hex')}`;
}
