import type { KubeObject } from '../../api/object.ts';
import { validate } from '../../api/validate.ts';

/** What there is to say of an object before it is stored. */
export interface Review {
  /** Each is a reason to refuse it: field, value, remedy. */
  problems: string[];
  /** Each is doubtful, and no reason to refuse it. */
  warnings: string[];
}

/** Checks what people write against the schema of its kind: the status, which they do not write, is left out. */
export async function reviewSchema(object: KubeObject): Promise<Review> {
  const written = Object.fromEntries(Object.entries(object).filter(([field]) => field !== 'status'));
  const problems = await validate(written);
  return {
    problems: problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)),
    warnings: [],
  };
}
