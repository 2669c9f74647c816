import { describe, expect, it } from 'vitest';
import { crdResources } from '../../../kube/crdResources.ts';
import { microTime } from '../../../kube/microTime.ts';
import { type ApiResource, resourcePath } from '../../../kube/resource.ts';
import { compareVersions } from '../../../kube/versions.ts';
import { warningsOf } from '../../../kube/warnings.ts';

const DEPLOYMENT: ApiResource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  verbs: [],
};
const NODE: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
  verbs: [],
};

describe('resourcePath', () => {
  it.each([
    [DEPLOYMENT, undefined, undefined, undefined, '/apis/apps/v1/deployments'],
    [DEPLOYMENT, 'shop', undefined, undefined, '/apis/apps/v1/namespaces/shop/deployments'],
    [DEPLOYMENT, 'shop', 'web', undefined, '/apis/apps/v1/namespaces/shop/deployments/web'],
    [DEPLOYMENT, 'shop', 'web', 'status', '/apis/apps/v1/namespaces/shop/deployments/web/status'],
    [NODE, undefined, 'n1', undefined, '/api/v1/nodes/n1'],
    [NODE, 'shop', 'system:node', undefined, '/api/v1/nodes/system%3Anode'],
  ])('%#', (resource, namespace, name, subresource, path) => {
    expect(resourcePath(resource, namespace, name, subresource)).toBe(path);
  });

  it.each(['', '.', '..', '../secrets/x', 'a/b', 'a%2fb'])('refuses the name %j', (name) => {
    expect(() => resourcePath(DEPLOYMENT, 'shop', name)).toThrow(TypeError);
    if (name !== '') expect(() => resourcePath(DEPLOYMENT, name, 'web')).toThrow(TypeError);
  });

  it('refuses an object of a namespaced kind without a namespace', () => {
    expect(() => resourcePath(DEPLOYMENT, undefined, 'web')).toThrow('Deployment web: a namespace is needed');
  });
});

describe('microTime', () => {
  it('has six digits of fraction, as the API server demands', () => {
    expect(microTime(new Date('2026-01-02T03:04:05.006Z'))).toBe('2026-01-02T03:04:05.006000Z');
    expect(microTime(new Date('2026-01-02T03:04:05Z'))).toBe('2026-01-02T03:04:05.000000Z');
    expect(() => microTime(new Date(NaN))).toThrow(RangeError);
  });
});

describe('warningsOf', () => {
  it.each([
    [undefined, []],
    ['299 - "v1beta1 is deprecated"', ['v1beta1 is deprecated']],
    [
      ['299 - "one"', '299 agent "two"'],
      ['one', 'two'],
    ],
    ['299 - "unknown field \\"spec.a, b\\"", 299 - "second"', ['unknown field "spec.a, b"', 'second']],
    ['199 - "not of an API server"', []],
    ['299 - "never closed', []],
  ])('%j', (warning, expected) => {
    expect(warningsOf({ warning })).toEqual(expected);
  });
});

describe('compareVersions', () => {
  it('puts them in the order of the API server', () => {
    // The example of the Kubernetes documentation on CRD versions.
    const ordered = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ];
    expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered);
  });
});

describe('crdResources', () => {
  const crd = (spec: unknown): Parameters<typeof crdResources>[0] => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boats.example.org' },
    spec,
  });
  const spec = {
    group: 'example.org',
    names: { kind: 'Boat', plural: 'boats' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1alpha1', served: false },
      { name: 'v1beta1', served: true },
      { name: 'v1', served: true },
    ],
  };

  it('are the served versions, the preferred one first', () => {
    const found = crdResources(crd(spec));
    expect(found.map(({ version }) => version)).toEqual(['v1', 'v1beta1']);
    expect(found[0]).toMatchObject({ group: 'example.org', kind: 'Boat', plural: 'boats', namespaced: true });
    expect(crdResources(crd({ ...spec, scope: 'Cluster' }))[0]).toMatchObject({ namespaced: false });
  });

  it.each([
    undefined,
    'text',
    {},
    { ...spec, names: 'x' },
    { ...spec, versions: 'v1' },
    { ...spec, versions: [null, {}] },
  ])('are none of the malformed %j', (malformed) => {
    expect(crdResources(crd(malformed))).toEqual([]);
  });
});
