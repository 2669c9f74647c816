import type { KubeObject } from '../../../api/object.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { isTrue } from '../../controlplane/conditions.ts';

/** A CRD with a deprecated version, a status and room for fields that nobody knows. `group` keeps test files apart. */
export function boatCrd(group: string): KubeObject {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            tonnage: { type: 'integer', format: 'int64' },
            cargo: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
        status: { type: 'object', properties: { phase: { type: 'string' } } },
      },
    },
  };
  const version = { schema, subresources: { status: {} } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      names: { kind: 'Boat', plural: 'boats', singular: 'boat', listKind: 'BoatList' },
      scope: 'Namespaced',
      versions: [
        { ...version, name: 'v1', served: true, storage: true },
        { ...version, name: 'v1beta1', served: true, storage: false, deprecated: true },
      ],
    },
  };
}

/** Whether the API server serves the CRD. */
export const isEstablished = (crd: ApiObject): boolean => isTrue(crd, 'Established');
