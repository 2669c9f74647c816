import { describe, expect, test } from 'vitest';
import { problemOf } from '../../../../controller/apply/problem.ts';
import { ApiError } from '../../../../kube/errors.ts';

const KEY = { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'web' };
const problem = (status: number, reason: string, serverMessage: string) =>
  problemOf(KEY, new ApiError({ status, reason, serverMessage, request: 'PATCH /x' }));

test.each([
  ['.spec.replica: field not declared in schema', '.spec.replica: field not declared in schema'],
  ['errors:\n  .spec.a: no such field\n  .spec.b: no number', '.spec.a: no such field; .spec.b: no number'],
])('fields that are not of the schema are named on one line, behind the object: %j', (said, told) => {
  const prefix = 'failed to create typed patch object (shop/web; v1, Kind=ConfigMap): ';
  expect(problem(500, '', prefix + said).message).toBe(
    `ConfigMap web in shop: ${told} – correct the name or the type of each field named`,
  );
});

describe('a refusal with 403', () => {
  test.each([
    'configmaps "web" is forbidden: User "jo" cannot patch resource "configmaps" in API group "" in the namespace "shop"',
    'roles.rbac.authorization.k8s.io "web" is forbidden: user "jo" (groups=[]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:["*"]}',
  ])('is one of access where the identity lacks a right: %s', (message) => {
    const { forbidden, message: text } = problem(403, 'Forbidden', message);
    expect(forbidden).toBe(true);
    expect(text).toContain('ConfigMap web in shop: ');
    expect(text).toContain('grant the identity that applies this right');
  });

  test.each([
    [
      'configmaps "web" is forbidden: unable to create new content in namespace shop because it is being terminated',
      'wait until it is gone',
    ],
    [
      'configmaps "web" is forbidden: exceeded quota: small, requested: configmaps=1',
      'raise the ResourceQuota',
    ],
    [
      'pods "web" is forbidden: violates PodSecurity "restricted:latest": privileged (container "web" must not set it)',
      'Pod Security',
    ],
  ])('is none of access where the object or its place is the matter: %s', (message, advice) => {
    const { forbidden, retryable, message: text } = problem(403, 'Forbidden', message);
    expect(forbidden).toBe(false);
    expect(retryable).toBe(false);
    expect(text).toContain(advice);
  });
});
