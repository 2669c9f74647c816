import type { KubeObject } from '../../../../api/object.ts';

/** A Deployment `web` in `shop`, in wave 3 with a timeout, but for what is given. */
export function deployment(metadata: Partial<KubeObject['metadata']> = {}, rest: object = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { app: 'web', tier: 'front' },
      annotations: { 'convoy.kumodo.io/sync-wave': '3', 'convoy.kumodo.io/sync-timeout': '9m' },
      ...metadata,
    },
    ...rest,
  };
}
