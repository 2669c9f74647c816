/** The parts of an object's metadata that Convoy reads or writes. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  generateName?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  creationTimestamp?: string;
  deletionTimestamp?: string;
  managedFields?: { manager?: string }[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Any Kubernetes object as plain JSON. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** What makes an object the same one over time: its API version may change, this may not. */
export interface ObjectKey {
  /** '' is the core group. */
  group: string;
  kind: string;
  /** '' for a cluster-scoped object. */
  namespace: string;
  name: string;
}

/** `apps/v1` → `apps`, `v1` → ``. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** `apps/v1` → `v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf('/') + 1);
}

/** `apps` + `v1` → `apps/v1`, `` + `v1` → `v1`. */
export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

export function keyOf(object: KubeObject): ObjectKey {
  const { name, namespace = '' } = object.metadata;
  return { group: groupOf(object.apiVersion), kind: object.kind, namespace, name };
}

/** One string per key, for maps and sets: no part can hold the separator. */
export function keyString({ group, kind, namespace, name }: ObjectKey): string {
  return `${group}|${kind}|${namespace}|${name}`;
}

/** How every message names an object: `apps/Deployment web in shop`, `Namespace shop`. */
export function describe({ group, kind, namespace, name }: ObjectKey): string {
  const type = group === '' ? kind : `${group}/${kind}`;
  return namespace === '' ? `${type} ${name}` : `${type} ${name} in ${namespace}`;
}
