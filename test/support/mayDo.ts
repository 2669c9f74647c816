import type { ApiAccess } from '../controlplane/apiAccess.ts';

export interface Right {
  verb: string;
  group?: string;
  resource: string;
  subresource?: string;
  namespace?: string;
}

/** Whether the authoriser of the API server lets a user do something, as it knows now: what was granted counts a little later. */
export async function mayDo(
  api: ApiAccess,
  user: string,
  right: Right,
  groups: readonly string[] = [],
): Promise<boolean> {
  const review = await api.must('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, groups, resourceAttributes: right },
  });
  return (review['status'] as { allowed: boolean }).allowed;
}
