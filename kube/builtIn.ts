import type { ApiResource } from './resource.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** Built-in kinds that the controller reads for its own work: known without discovery. */
export const CONFIG_MAPS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
  verbs: VERBS,
};

export const SECRETS: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  verbs: VERBS,
};

export const JOBS: ApiResource = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
  verbs: VERBS,
};

export const NAMESPACES: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
  verbs: VERBS,
};

export const CUSTOM_RESOURCE_DEFINITIONS: ApiResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  verbs: VERBS,
};

export const STORAGE_CLASSES: ApiResource = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
  verbs: VERBS,
};

export const ENDPOINT_SLICES: ApiResource = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  verbs: VERBS,
};

export const TOKEN_REVIEWS: ApiResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
  verbs: ['create'],
};

export const SUBJECT_ACCESS_REVIEWS: ApiResource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
  verbs: ['create'],
};
