import { ANNOTATION_DOCS, SYNC_STRATEGY } from '../../api/annotations.ts';
import { describe } from '../../api/object.ts';
import type { InvalidAnnotation } from './annotations.ts';

const MAX_QUOTED = 60;

/** How every program tells of an annotation whose value is not valid: object, annotation, value, what holds instead, what it takes. */
export function invalidText({ key, annotation, value, allowed }: InvalidAnnotation): string {
  const given = JSON.stringify(value.slice(0, MAX_QUOTED));
  return `${describe(key)}: ${annotation} is ${given}: ${instead(annotation)}; it takes ${allowed}`;
}

function instead(annotation: string): string {
  if (annotation === SYNC_STRATEGY) return 'the default of the render is used';
  const standard = ANNOTATION_DOCS.find(({ name }) => name === annotation)?.default ?? '';
  return standard === '' ? 'it counts as absent' : `the default ${standard} is used`;
}
