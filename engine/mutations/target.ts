import { groupOf, versionOf, type KubeObject } from '../../api/object.ts';
import type { Mutation } from '../../api/release.ts';
import { globMatches } from './glob.ts';
import { selects } from './selector.ts';

/** Which objects a mutation changes. */
export type Target = NonNullable<Mutation['target']>;

/** One for each field of a target: true where it is absent, or takes this object. */
const FIELDS: readonly ((target: Target, object: KubeObject) => boolean)[] = [
  ({ group }, { apiVersion }) => group === undefined || group === groupOf(apiVersion),
  ({ version }, { apiVersion }) => version === undefined || version === versionOf(apiVersion),
  ({ kind }, object) => kind === undefined || kind === object.kind,
  ({ name }, { metadata }) => name === undefined || globMatches(name, metadata.name),
  ({ namespace }, { metadata }) => namespace === undefined || namespace === (metadata.namespace ?? ''),
  ({ labelSelector }, { metadata }) =>
    labelSelector === undefined || selects(labelSelector, metadata.labels ?? {}),
  ({ annotationSelector }, { metadata }) =>
    annotationSelector === undefined || selects(annotationSelector, metadata.annotations ?? {}),
];

/** Tells whether a target takes an object (waves.md): every field that is there must, and none at all takes any. */
export function targets(target: Target | undefined, object: KubeObject): boolean {
  return target === undefined || FIELDS.every((takes) => takes(target, object));
}
