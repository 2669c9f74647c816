import type { ConvoyKind } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import { reviewRuleSet } from './healthRules.ts';
import { reviewRelease } from './release.ts';
import { type Review, reviewSchema } from './review.ts';

/** How each kind that people write is reviewed. */
const REVIEWS: Readonly<
  Partial<Record<ConvoyKind, (object: KubeObject, namespace: string) => Promise<Review>>>
> = {
  Release: reviewRelease,
  // What cannot be told of a Cluster without its Secret, its status says.
  Cluster: reviewSchema,
  GlobalHealthRuleSet: reviewRuleSet,
};

/**
 * Says what is wrong and what is doubtful in an object of one of Convoy's kinds, before it is stored and without a
 * cluster (admission.md).
 * @param namespace that the object is, or will be, in
 * @returns undefined for a kind that is not Convoy's, or that Convoy alone writes
 */
export async function reviewObject(object: KubeObject, namespace: string): Promise<Review | undefined> {
  return Object.hasOwn(REVIEWS, object.kind)
    ? await REVIEWS[object.kind as ConvoyKind]?.(object, namespace)
    : undefined;
}
