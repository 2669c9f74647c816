import type { ApiAccess } from '../controlplane/apiAccess.ts';

const RELEASES = { apiGroups: ['core.convoy.kumodo.io'], resources: ['releases'] };

/** A token of a ServiceAccount of the test's namespace, which may do with Releases what is told. */
export async function syncToken(
  { cluster, namespace }: { cluster: { api: ApiAccess }; namespace: string },
  account: string,
  verbs: readonly string[],
): Promise<string> {
  const { api } = cluster;
  await api.must('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: account } });
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  await api.must('POST', `${rbac}/roles`, { metadata: { name: account }, rules: [{ ...RELEASES, verbs }] });
  await api.must('POST', `${rbac}/rolebindings`, {
    metadata: { name: account },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: account },
    subjects: [{ kind: 'ServiceAccount', name: account, namespace }],
  });
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const answer = await api.must('POST', path, { spec: { expirationSeconds: 600 } });
  return (answer as unknown as { status: { token: string } }).status.token;
}
