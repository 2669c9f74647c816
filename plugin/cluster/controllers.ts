import type { KubeObject } from '../../api/object.ts';
import type { ApiResource } from '../../kube/resource.ts';
import type { Session } from './session.ts';

const DEPLOYMENTS: ApiResource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  verbs: ['list'],
};

/** As the install manifests label it (manifests/install/controller). */
const CONTROLLER = 'app.kubernetes.io/name=convoy-controller,app.kubernetes.io/part-of=convoy';

/** The Deployments of Convoy's controller, in whatever namespace. @throws ApiError for those who may not list Deployments */
export async function findControllers<T extends KubeObject = KubeObject>({ client }: Session): Promise<T[]> {
  return (await client.list<T>(DEPLOYMENTS, { labelSelector: CONTROLLER })).items;
}
