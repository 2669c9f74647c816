import type { Release } from '../../../api/release.ts';
import type { ApiAccess } from '../../controlplane/apiAccess.ts';
import { createNamespace } from '../../controlplane/fixture.ts';
import { readyMessage } from '../../support/releases.ts';
import type { Releases } from './fixture.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** The Namespace of the team's Releases. */
export type Place = Pick<Releases, 'cluster' | 'namespace'>;

/** What a team may do in its own Namespace. */
const OWN_RIGHTS = [
  { apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['*'] },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: ['*'] },
  {
    apiGroups: ['rbac.authorization.k8s.io'],
    resources: ['roles', 'rolebindings'],
    verbs: ['get', 'create', 'patch', 'delete'],
  },
];

/** A ServiceAccount with rights in its own Namespace, given by a RoleBinding of its name. */
export async function createTenant(
  place: Place,
  name: string,
  rules: readonly object[] = OWN_RIGHTS,
): Promise<void> {
  const { cluster, namespace } = place;
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await cluster.api.must('POST', accounts, { metadata: { name } });
  await createRole(place, { name, account: name, rules });
}

interface Grant {
  /** Of the Role and its RoleBinding. */
  name: string;
  account: string;
  rules: readonly object[];
  /** Namespace that the rights are for; without it that of the ServiceAccount. */
  where?: string;
}

/** Gives a ServiceAccount rights. */
export async function createRole(
  { cluster: { api }, namespace }: Place,
  { name, account, rules, where = namespace }: Grant,
): Promise<void> {
  await api.must('POST', `${RBAC}/namespaces/${where}/roles`, { metadata: { name }, rules });
  await bind({ api, namespace: where }, name, { name: account, namespace });
}

/** Takes the rights that `createTenant` gave. */
export async function takeRights({ cluster: { api }, namespace }: Place, name: string): Promise<void> {
  await api.must('DELETE', `${RBAC}/namespaces/${namespace}/rolebindings/${name}`);
}

/** Gives them back. */
export async function giveRights({ cluster: { api }, namespace }: Place, name: string): Promise<void> {
  await bind({ api, namespace }, name, { name, namespace });
}

async function bind(
  { api, namespace }: { api: ApiAccess; namespace: string },
  name: string,
  account: { name: string; namespace: string },
): Promise<void> {
  await api.must('POST', `${RBAC}/namespaces/${namespace}/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  });
}

/** Somebody else's Namespace, with a ConfigMap and a Secret `theirs`. */
export async function createVictim({ cluster: { api } }: Place): Promise<string> {
  const victim = await createNamespace(api);
  const metadata = { name: 'theirs' };
  await api.must('POST', `/api/v1/namespaces/${victim}/configmaps`, { metadata, data: { key: 'theirs' } });
  await api.must('POST', `/api/v1/namespaces/${victim}/secrets`, { metadata, stringData: { key: 'hidden' } });
  return victim;
}

/** What the Release says when it is refused for this reason. */
export async function refusal(releases: Releases, reason: string, name?: string): Promise<string> {
  const release: Release = await releases.ready(reason, name);
  return readyMessage(release);
}
