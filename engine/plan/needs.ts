import { groupOf, keyOf, type KubeObject, type ObjectKey, versionOf } from '../../api/object.ts';
import { isMap } from '../render/objects.ts';
import { typesOf } from '../render/types.ts';

/** What an object of a render cannot exist without, as far as the render brings it. */
export interface Needs {
  /** Its CustomResourceDefinition or APIService. */
  type: KubeObject | undefined;
  namespace: KubeObject | undefined;
}

/** Finds what each object of a render needs of the same render. */
export class NeedsIndex {
  private readonly namespaces = new Map<string, KubeObject>();
  private readonly definitions = new Map<string, KubeObject>();
  private readonly services = new Map<string, KubeObject>();

  constructor(objects: readonly KubeObject[]) {
    for (const { group, kind, definition } of typesOf(objects))
      this.definitions.set(`${group}/${kind}`, definition);
    for (const object of objects) {
      const group = groupOf(object.apiVersion);
      if (group === '' && object.kind === 'Namespace') this.namespaces.set(object.metadata.name, object);
      if (group === 'apiregistration.k8s.io' && object.kind === 'APIService') this.addService(object);
    }
  }

  /** @returns the type and the namespace of an object, where they are objects of this render */
  of(object: KubeObject): Needs {
    const group = groupOf(object.apiVersion);
    return {
      type:
        this.definitions.get(`${group}/${object.kind}`) ??
        this.services.get(`${group}/${versionOf(object.apiVersion)}`),
      namespace: this.namespaces.get(object.metadata.namespace ?? ''),
    };
  }

  private addService(service: KubeObject): void {
    const { spec } = service;
    // Without a Service it stands for what the API server has itself.
    if (!isMap(spec) || !isMap(spec['service']) || typeof spec['version'] !== 'string') return;
    const group = typeof spec['group'] === 'string' ? spec['group'] : '';
    this.services.set(`${group}/${spec['version']}`, service);
  }
}

/** @returns the keys of what is needed, the type first */
export function keysOf({ type, namespace }: Needs): ObjectKey[] {
  return [type, namespace].filter((object) => object !== undefined).map(keyOf);
}
