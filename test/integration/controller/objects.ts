/** Objects that many of the tests apply, as YAML. */

/** A CRD `boats.GROUP` whose `spec.masts` is a number. */
export function boatCrdYaml(group: string): string {
  return `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.${group}}
spec:
  group: ${group}
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {masts: {type: integer}}}}
`;
}

export function boatYaml(group: string, name: string, spec = '{masts: 1}'): string {
  return `
apiVersion: ${group}/v1
kind: Boat
metadata: {name: ${name}}
spec: ${spec}
`;
}

export function namespaceYaml(name: string): string {
  return `
apiVersion: v1
kind: Namespace
metadata: {name: ${name}}
`;
}
