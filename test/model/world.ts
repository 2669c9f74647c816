import { PREFIX } from '../../api/annotations.ts';

/** Where the objects of one random Release live; no two Releases share any of it. */
export interface World {
  /** The namespace of the Release. */
  home: string;
  /** The namespace that the Release itself may bring. */
  own: string;
  /** API group of the type that it may bring. */
  group: string;
}

/** An object that a render may have, before its annotations. */
export interface Slot {
  /** `<plural>/<namespace>/<name>`: what it is known by in the model, in the inventory and in the audit log. */
  id: string;
  kind: string;
  namespace: string;
  /** Path of its collection on the API server. */
  collection: string;
  object: { apiVersion: string; kind: string; metadata: Record<string, unknown>; [field: string]: unknown };
}

/** A finalizer that the test itself takes off, once it has seen that the object is being deleted. */
export const HOLD = `test.${PREFIX}hold`;

export function idOf({ kind, namespace, name }: { kind: string; namespace: string; name: string }): string {
  return `${kind.toLowerCase()}s/${namespace}/${name}`;
}

export function worldOf(home: string): World {
  return { home, own: `${home}-own`, group: `${home}.${PREFIX.slice(0, -1)}` };
}

/** All objects of a world; the first is in every render, since an empty one is refused. */
export function slotsOf({ home, own, group }: World): Slot[] {
  const core = (kind: string, namespace: string, name: string, more: object = {}): Slot =>
    slot('v1', kind, namespace, name, more);
  const rbac = (kind: string, name: string, more: object): Slot =>
    slot('rbac.authorization.k8s.io/v1', kind, home, name, more);
  return [
    core('ConfigMap', home, 'anchor'),
    core('ConfigMap', home, 'one'),
    core('ConfigMap', home, 'two'),
    core('ConfigMap', home, 'held', { metadata: { finalizers: [HOLD] } }),
    core('Secret', home, 'secret'),
    core('Service', home, 'service', { spec: { ports: [{ port: 80 }] } }),
    core('ServiceAccount', home, 'account'),
    rbac('Role', 'role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    rbac('RoleBinding', 'binding', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'role' },
      subjects: [{ kind: 'ServiceAccount', name: 'account', namespace: home }],
    }),
    core('Namespace', '', own),
    core('ConfigMap', own, 'inner'),
    core('Secret', own, 'inner'),
    core('ServiceAccount', own, 'inner'),
    boatDefinition(group),
    slot(`${group}/v1`, 'Boat', home, 'titanic', {}),
    slot(`${group}/v1`, 'Boat', own, 'inner', {}),
  ];
}

/** Collections of all that may be in a world, but the type that the Release may bring. */
export function collectionsOf(world: World): string[] {
  return [...new Set(slotsOf(world).map(({ collection }) => collection))];
}

/** An object that a render may have, and where it is. @param more its other fields, those of its metadata too */
export function slot(apiVersion: string, kind: string, namespace: string, name: string, more: object): Slot {
  const { metadata = {}, ...rest } = more as { metadata?: object };
  const home = namespace === '' ? {} : { namespace };
  const root = apiVersion.includes('/') ? '/apis' : '/api';
  const place = namespace === '' ? '' : `/namespaces/${namespace}`;
  return {
    id: idOf({ kind, namespace, name }),
    kind,
    namespace,
    collection: `${root}/${apiVersion}${place}/${kind.toLowerCase()}s`,
    object: { apiVersion, kind, metadata: { name, ...home, ...metadata }, ...rest },
  };
}

/** The type that a Release brings. */
export function boatDefinition(group: string): Slot {
  const schema = { openAPIV3Schema: { type: 'object' } };
  return slot('apiextensions.k8s.io/v1', 'CustomResourceDefinition', '', `boats.${group}`, {
    spec: {
      group,
      names: { kind: 'Boat', plural: 'boats' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
}
