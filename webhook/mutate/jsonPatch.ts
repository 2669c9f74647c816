/** An operation of RFC 6902, as far as it is written here. */
export type Operation =
  { op: 'add' | 'replace'; path: string; value: unknown } | { op: 'remove'; path: string };

/** What annotations should be, by name; undefined: not there. Others stay as they are. */
export type WantedAnnotations = Readonly<Record<string, string | undefined>>;

const ANNOTATIONS = '/metadata/annotations';

/**
 * The patch that makes annotations be as wanted, and nothing where they are already.
 * @param present undefined where the object has none
 */
export function annotationPatch(
  present: Readonly<Record<string, string>> | undefined,
  wanted: WantedAnnotations,
): Operation[] {
  const changes = Object.entries(wanted).filter(([name, value]) => valueOf(present, name) !== value);
  if (changes.length === 0) return [];
  // Without the map there is nothing to add a member to.
  if (present === undefined) return [{ op: 'add', path: ANNOTATIONS, value: Object.fromEntries(changes) }];
  return changes.map(([name, value]) => {
    const path = `${ANNOTATIONS}/${escaped(name)}`;
    return value === undefined ? { op: 'remove', path } : { op: 'add', path, value };
  });
}

function valueOf(present: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return present !== undefined && Object.hasOwn(present, name) ? present[name] : undefined;
}

/** RFC 6901: a name as part of a pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
