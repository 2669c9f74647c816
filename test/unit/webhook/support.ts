/** An AdmissionReview around a request. */
export function reviewOf(request: object): Record<string, unknown> {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

/** What an API server asks at the creation of a ConfigMap, with some fields otherwise. */
export function requestOf(fields: object = {}): object {
  return {
    uid: 'u-1',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    namespace: 'apps',
    name: 'web',
    operation: 'CREATE',
    userInfo: { username: 'alice', groups: ['dev'] },
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } },
    oldObject: null,
    options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
    ...fields,
  };
}
