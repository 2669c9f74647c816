import type { Review } from '../../engine/admission/review.ts';
import { reviewObject } from '../../engine/admission/reviewObject.ts';
import type { ReviewJob } from './reviewer.ts';

/** Entry of the worker thread: large sources stay off the webhook's event loop. */
export default async function review({ object, namespace }: ReviewJob): Promise<Review | undefined> {
  return await reviewObject(object, namespace);
}
