import type { KubeObject } from '../../api/object.ts';
import { sameJson } from '../mutations/sameJson.ts';

const KEPT_OF_WRITES = ['managedFields', 'resourceVersion', 'generation'];

/**
 * Whether two states of an object say the same: what the API server keeps of writes as such, and the status, which is not
 * applied, do not count.
 */
export function sameContent(a: KubeObject, b: KubeObject): boolean {
  return sameJson(contentOf(a), contentOf(b));
}

function contentOf({ metadata, ...others }: KubeObject): Record<string, unknown> {
  return without({ ...others, metadata: without(metadata, KEPT_OF_WRITES) }, ['status']);
}

function without(object: object, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
