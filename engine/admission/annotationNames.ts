import { ANNOTATION_DOCS, type AnnotationDoc, PREFIX, RELEASE_LABEL } from '../../api/annotations.ts';
import { closest } from '../../api/closest.ts';
import type { ObjectMeta } from '../../api/object.ts';

const DOMAIN = PREFIX.slice(0, -1);
const NAMES = ANNOTATION_DOCS.map(({ name }) => name.slice(PREFIX.length));

/**
 * Warns of annotations that were meant for Convoy and have no effect: names that are near one of Convoy's, and names
 * that stand on the wrong kind of object.
 * @param who how the messages name the object; `''` for the object that is reviewed itself
 */
export function annotationNameWarnings(
  { annotations = {}, labels = {} }: ObjectMeta,
  on: AnnotationDoc['on'],
  who = '',
): string[] {
  // A Release that another one brings is a rendered object as well.
  const isRendered = labels[RELEASE_LABEL] !== undefined;
  return Object.keys(annotations).flatMap((name) => {
    const known = ANNOTATION_DOCS.find((doc) => doc.name === name);
    const warning = known === undefined ? misspelt(name) : isRendered ? undefined : misplaced(known, on);
    if (warning === undefined) return [];
    return [who === '' ? `metadata.annotations: ${warning}` : `${who}: ${warning}`];
  });
}

function misspelt(name: string): string | undefined {
  const [domain = '', own = '', ...more] = name.split('/');
  if (own === '' || more.length > 0) return undefined;
  const meant = closest(own, NAMES);
  const hint = meant === undefined ? '' : `; did you mean ${PREFIX}${meant}?`;
  if (domain === DOMAIN) return `${name} is no annotation of Convoy and has no effect${hint}`;
  const isNear = meant !== undefined && closest(domain, [DOMAIN]) !== undefined;
  return isNear ? `${name} has no effect on Convoy${hint}` : undefined;
}

function misplaced({ name, on: place }: AnnotationDoc, on: AnnotationDoc['on']): string | undefined {
  if (place === on) return undefined;
  return place === 'Release'
    ? `${name} has no effect here: it belongs on a Release`
    : `${name} has no effect on a Release: it belongs on the objects of its source`;
}
