import { RELEASE_LABEL, RELEASE_NAMESPACE_LABEL } from './annotations.ts';
import { labelValue } from './labelValue.ts';
import type { ObjectMeta } from './object.ts';

/** The labels by which an applied object names its Release. */
export function ownerLabels(release: { metadata: ObjectMeta }): Record<string, string> {
  return {
    [RELEASE_LABEL]: labelValue(release.metadata.name),
    [RELEASE_NAMESPACE_LABEL]: labelValue(release.metadata.namespace ?? ''),
  };
}

/** `namespace/name` of a Release as labels write it. @param key `namespace/name` */
export function labelsOf(key: string): string {
  return key.split('/').map(labelValue).join('/');
}

/** `namespace/name` of the Release that an object's labels name, as labels write it; '' where they name none. */
export function labelledOwner({ metadata }: { metadata: ObjectMeta }): string {
  const { [RELEASE_LABEL]: name, [RELEASE_NAMESPACE_LABEL]: namespace } = metadata.labels ?? {};
  return name === undefined || namespace === undefined ? '' : `${namespace}/${name}`;
}

/** True when the object's labels name this Release. */
export function isOwnedBy(object: { metadata: ObjectMeta }, release: { metadata: ObjectMeta }): boolean {
  const labels = object.metadata.labels ?? {};
  return Object.entries(ownerLabels(release)).every(([label, value]) => labels[label] === value);
}

/** True when the object's labels name another Release than this one. */
export function isOwnedByAnother(
  object: { metadata: ObjectMeta },
  release: { metadata: ObjectMeta },
): boolean {
  return object.metadata.labels?.[RELEASE_LABEL] !== undefined && !isOwnedBy(object, release);
}
