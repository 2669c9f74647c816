import { describe, groupOf, keyOf, type KubeObject } from '../../api/object.ts';
import type { Problems } from './errors.ts';
import type { SourceObject } from './objects.ts';
import { type ScopeLookup, withTypesOf } from './types.ts';

export interface NamespaceOptions {
  /** For namespaced objects that name none. */
  targetNamespace: string;
  scopeOf: ScopeLookup;
  /**
   * What to do with a kind that neither the cluster nor the render knows: refuse it (the default), or keep it as it is
   * and hand it back; `assume` gives it a namespace as well, as most kinds want one, for whoever can wait until something
   * on the cluster brings it.
   */
  unknownKinds?: 'refuse' | 'keep' | 'assume';
}

/**
 * Gives each object the namespace that it is applied in: cluster-scoped kinds lose theirs, namespaced ones without one
 * get targetNamespace. Changes the objects.
 * @returns the objects of unknown kinds that were kept
 */
export function placeInNamespaces(
  sources: readonly SourceObject[],
  options: NamespaceOptions,
  problems: Problems,
  warnings: string[] = [],
): KubeObject[] {
  const scopeOf = withTypesOf(
    sources.map(({ object }) => object),
    options.scopeOf,
  );
  const unknown: KubeObject[] = [];
  for (const { object, where } of sources) {
    const { metadata } = object;
    if (!metadata.namespace) delete metadata.namespace;
    const scope = scopeOf(groupOf(object.apiVersion), object.kind);
    if (scope === 'Namespaced') {
      metadata.namespace ??= options.targetNamespace;
    } else if (scope === 'Cluster') {
      if (metadata.namespace !== undefined) warnings.push(dropped(object, where));
      delete metadata.namespace;
    } else if (options.unknownKinds === 'keep' || options.unknownKinds === 'assume') {
      if (options.unknownKinds === 'assume') metadata.namespace ??= options.targetNamespace;
      unknown.push(object);
    } else {
      problems.add(unknownKind(object, where));
    }
  }
  return unknown;
}

function dropped(object: KubeObject, where: string): string {
  return `${where}: ${describe(keyOf(object))}: the kind has no namespace, so metadata.namespace is left out`;
}

function unknownKind(object: KubeObject, where: string): { where: string; what: string; remedy: string } {
  return {
    where: `${where}: ${describe(keyOf(object))}`,
    what: `the cluster has no kind ${object.kind} in ${object.apiVersion}`,
    remedy: 'correct apiVersion and kind, or bring its CustomResourceDefinition in this render',
  };
}
