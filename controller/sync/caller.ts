import { RESOURCES } from '../../api/group.ts';
import type { KubeObject } from '../../api/object.ts';
import type { KubeClient, ObjectName } from '../../kube/client.ts';
import { SUBJECT_ACCESS_REVIEWS, TOKEN_REVIEWS } from '../../kube/builtIn.ts';

/** Who calls, as the API server knows them. */
export interface Caller {
  username: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface TokenReview extends KubeObject {
  status?: { authenticated?: boolean; user?: Caller };
}

interface SubjectAccessReview extends KubeObject {
  status?: { allowed?: boolean; reason?: string };
}

/** Reviews have no name: they are answers, not objects. */
const UNNAMED = { name: '' };

/** @returns whose token it is; undefined where it is nobody's. @throws ApiError, ConnectionError */
export async function authenticate(client: KubeClient, token: string): Promise<Caller | undefined> {
  const review = await client.create<TokenReview>(TOKEN_REVIEWS, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    metadata: UNNAMED,
    spec: { token },
  });
  const { authenticated = false, user } = review.status ?? {};
  return authenticated ? user : undefined;
}

/** Whether the caller may update the Release. @throws ApiError, ConnectionError */
export async function mayUpdate(client: KubeClient, caller: Caller, release: ObjectName): Promise<boolean> {
  const { username: user, ...others } = caller;
  const { group, plural: resource } = RESOURCES.Release;
  const review = await client.create<SubjectAccessReview>(SUBJECT_ACCESS_REVIEWS, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: UNNAMED,
    spec: { user, ...others, resourceAttributes: { ...release, verb: 'update', group, resource } },
  });
  return review.status?.allowed === true;
}
