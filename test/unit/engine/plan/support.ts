import fc from 'fast-check';
import { apiVersionOf, type KubeObject } from '../../../../api/object.ts';
import { PREFIX } from '../../../../api/annotations.ts';

export interface Sketch {
  group?: string;
  version?: string;
  kind: string;
  namespace?: string;
  name?: string;
  /** Annotations without Convoy's prefix. */
  annotations?: Record<string, string>;
  spec?: unknown;
}

/** An object with the fields that matter to a plan. */
export function sketch({
  group = '',
  version = 'v1',
  kind,
  namespace,
  name = 'a',
  annotations,
  spec,
}: Sketch): KubeObject {
  return {
    apiVersion: apiVersionOf(group, version),
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(annotations === undefined ? {} : { annotations: prefixed(annotations) }),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

function prefixed(annotations: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]));
}

export function definition(
  group: string,
  kind: string,
  annotations: Record<string, string> = {},
): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  return sketch({
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    name: `${plural}.${group}`,
    annotations,
    spec: { group, scope: 'Namespaced', names: { kind, plural }, versions: [{ name: 'v1', served: true }] },
  });
}

export function apiService(
  group: string,
  version: string,
  annotations: Record<string, string> = {},
): KubeObject {
  return sketch({
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    name: `${version}.${group}`,
    annotations,
    spec: { group, version, service: { name: 'x', namespace: 'apps' } },
  });
}

/** Renders without order problems: waves and delete-orders of dependents follow those of what they need. */
export const consistentRender: fc.Arbitrary<KubeObject[]> = fc
  .record({
    base: fc.integer({ min: -3, max: 1 }),
    deletedLast: fc.integer({ min: 2, max: 4 }),
    items: fc.uniqueArray(
      fc.record({
        type: fc.constantFrom(
          ['', 'ConfigMap'],
          ['', 'ServiceAccount'],
          ['apps', 'Deployment'],
          ['x.io', 'Widget'],
          ['metrics.io', 'PodMetric'],
          ['rbac.authorization.k8s.io', 'ClusterRole'],
          ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'],
          ['scheduling.k8s.io', 'PriorityClass'],
        ),
        namespace: fc.constantFrom('apps', 'other', undefined),
        name: fc.constantFrom('a', 'b', 'c'),
        wave: fc.integer({ min: 1, max: 4 }),
        deleteOrder: fc.integer({ min: -2, max: 2 }),
      }),
      {
        selector: ({ type, namespace, name }) => `${type.join('/')} ${namespace ?? ''} ${name}`,
        maxLength: 20,
      },
    ),
    brings: fc.record({ namespace: fc.boolean(), definition: fc.boolean(), service: fc.boolean() }),
  })
  .map(({ base, deletedLast, items, brings }) => {
    const annotations = { 'sync-wave': String(base), 'delete-order': String(deletedLast) };
    return [
      ...(brings.namespace ? [sketch({ kind: 'Namespace', name: 'apps', annotations })] : []),
      ...(brings.definition ? [definition('x.io', 'Widget', annotations)] : []),
      ...(brings.service ? [apiService('metrics.io', 'v1', annotations)] : []),
      ...items.map(({ type: [group = '', kind = ''], namespace, name, wave, deleteOrder }) =>
        sketch({
          group,
          kind,
          name,
          ...(namespace === undefined ? {} : { namespace }),
          annotations: { 'sync-wave': String(wave), 'delete-order': String(deleteOrder) },
        }),
      ),
    ];
  });
