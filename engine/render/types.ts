import { groupOf, type KubeObject } from '../../api/object.ts';
import { isMap } from './objects.ts';

export type Scope = 'Namespaced' | 'Cluster';

/** Undefined for a kind that the cluster does not know. */
export type ScopeLookup = (group: string, kind: string) => Scope | undefined;

/** A type that a CustomResourceDefinition brings. */
export interface CustomType {
  group: string;
  kind: string;
  plural: string;
  scope: Scope;
  /** Those that are served. */
  versions: string[];
  /** The CustomResourceDefinition itself. */
  definition: KubeObject;
}

/** True for a CustomResourceDefinition. */
export function isDefinition(object: KubeObject): boolean {
  return object.kind === 'CustomResourceDefinition' && groupOf(object.apiVersion) === 'apiextensions.k8s.io';
}

/** @returns the types that CustomResourceDefinitions of a render bring; one whose spec is no such thing is left out */
export function typesOf(objects: Iterable<KubeObject>): CustomType[] {
  const types: CustomType[] = [];
  for (const object of objects) {
    const type = isDefinition(object) ? typeOf(object) : undefined;
    if (type !== undefined) types.push(type);
  }
  return types;
}

function typeOf(definition: KubeObject): CustomType | undefined {
  const { spec } = definition;
  if (!isMap(spec) || !isMap(spec['names'])) return undefined;
  const { group, scope, versions } = spec;
  const { kind, plural } = spec['names'];
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof plural !== 'string') return undefined;
  if (scope !== 'Namespaced' && scope !== 'Cluster') return undefined;
  return { group, kind, plural, scope, versions: servedVersions(versions), definition };
}

function servedVersions(versions: unknown): string[] {
  if (!Array.isArray(versions)) return [];
  return versions
    .filter(isMap)
    .filter((version) => version['served'] !== false)
    .map((version) => version['name'])
    .filter((name) => typeof name === 'string');
}

/** Asks the cluster's lookup first, then the types of the render itself. */
export function withTypesOf(objects: Iterable<KubeObject>, known: ScopeLookup): ScopeLookup {
  const own = new Map(typesOf(objects).map(({ group, kind, scope }) => [`${group}/${kind}`, scope]));
  // A CRD of the render decides over what is live: its scope is immutable, so a difference fails at apply.
  return (group, kind) => own.get(`${group}/${kind}`) ?? known(group, kind);
}
