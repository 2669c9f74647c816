import { expect, test } from 'vitest';
import { RELEASE_LABEL } from '../../../api/annotations.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { isEstablished } from '../kube/boats.ts';
import { condition, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const BOATS = Array.from({ length: 8 }, (_, index) => `boat-${index}`);

/** One version says that its status has conditions, the other one has no status to wait for. */
function twoVersions(group: string): object {
  const version = (name: string, storage: boolean, properties: object) => ({
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  const conditions = {
    type: 'array',
    items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [
        version('v1', true, { status: { type: 'object', properties: { conditions } } }),
        version('v1alpha1', false, {}),
      ],
    },
  };
}

const yaml = (group: string, version: string, names: readonly string[]): string =>
  names
    .map((name) => `apiVersion: ${group}/${version}\nkind: Boat\nmetadata: {name: ${name}}\n`)
    .join('---\n');

test('an object is judged in the version in which it is applied, also where another Release uses another one', async () => {
  const group = `${releases.namespace}.example.com`;
  await releases.cluster.api.must('POST', CRDS, twoVersions(group));
  await releases.cluster.api.waitForNamed(CRDS, `boats.${group}`, isEstablished);
  await releases.create(
    { source: { inline: yaml(group, 'v1alpha1', ['other']) }, healthAssessment: {} },
    { name: 'other' },
  );
  await releases.ready('Applied', 'other');
  await releases.create({ source: { inline: yaml(group, 'v1', BOATS) }, healthAssessment: {} });
  await releases.ready('Progressing');
  const at = `/apis/${group}/v1/namespaces/${releases.namespace}/boats`;
  const edit = async (name: string, metadata: object): Promise<ApiObject> =>
    await releases.cluster.api.must('PATCH', `${at}/${name}`, { metadata });
  for (const round of [1, 2, 3])
    await Promise.all(BOATS.map((name) => edit(name, { annotations: { edited: `${round}` } })));
  // What Convoy has put right, it has seen after the edits before it.
  for (const name of BOATS) {
    await edit(name, { labels: { [RELEASE_LABEL]: null } });
    await releases.cluster.api.waitForNamed(
      at,
      name,
      ({ metadata }) => (metadata['labels'] as Record<string, string>)[RELEASE_LABEL] === NAME,
    );
  }
  await edit('other', { annotations: { edited: '4' } });
  const judged = await releases.get();
  expect(judged.status?.health).toEqual({ healthy: 0, progressing: BOATS.length, degraded: 0, unknown: 0 });
  expect(condition(judged, 'Healthy')).toMatchObject({ status: 'False', reason: 'Progressing' });
});
