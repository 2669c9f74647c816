/** Takes every field. */
export const ANY_SCHEMA = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export interface CrdInput {
  group: string;
  kind: string;
  /** Of the object. */
  schema: object;
  /** Its status is written by itself. */
  hasStatus?: boolean;
}

/** A namespaced type with one version, whose plural is its kind with an `s`. */
export function crdOf({ group, kind, schema, hasStatus = false }: CrdInput) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}
