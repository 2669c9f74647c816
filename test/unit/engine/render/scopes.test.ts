import { describe, expect, it } from 'vitest';
import { builtInScope, guessingScopes } from '../../../../engine/render/scopes.ts';

describe('scopes known offline', () => {
  it.each([
    ['', 'Pod', 'Namespaced'],
    ['', 'Node', 'Cluster'],
    ['apps', 'Deployment', 'Namespaced'],
    ['rbac.authorization.k8s.io', 'ClusterRole', 'Cluster'],
    ['rbac.authorization.k8s.io', 'Role', 'Namespaced'],
    ['core.convoy.kumodo.io', 'Release', 'Namespaced'],
    ['core.convoy.kumodo.io', 'GlobalHealthRuleSet', 'Cluster'],
    ['core.convoy.kumodo.io', 'Other', undefined],
    ['apps', 'Node', undefined],
    ['example.com', 'Pod', undefined],
  ])('of %s/%s: %s', (group, kind, scope) => {
    expect(builtInScope(group, kind)).toBe(scope);
  });

  it('notes each kind that was guessed, once', () => {
    const guessed = new Set<string>();
    const scopeOf = guessingScopes(guessed);
    expect([scopeOf('a.io', 'X'), scopeOf('a.io', 'X'), scopeOf('', 'Pod')]).toEqual(
      Array(3).fill('Namespaced'),
    );
    expect([...guessed]).toEqual(['a.io/X']);
  });
});
