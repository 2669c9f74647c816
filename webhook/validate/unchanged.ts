import { isDeepStrictEqual } from 'node:util';
import { PREFIX, SYNC, SYNC_REQUESTED_BY } from '../../api/annotations.ts';
import type { KubeObject } from '../../api/object.ts';

/** Tell nothing about how the object is to be read. */
const NOT_REVIEWED: ReadonlySet<string> = new Set([SYNC, SYNC_REQUESTED_BY]);

/**
 * Whether an update leaves alone all that is reviewed: an object that an older version let in must stay possible to
 * label, annotate and finalize.
 */
export function isUnchanged(object: KubeObject, previous: KubeObject): boolean {
  return (
    isDeepStrictEqual(object['spec'], previous['spec']) &&
    isDeepStrictEqual(reviewedAnnotations(object), reviewedAnnotations(previous))
  );
}

function reviewedAnnotations({ metadata }: KubeObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(
      ([name]) => name.startsWith(PREFIX) && !NOT_REVIEWED.has(name),
    ),
  );
}
