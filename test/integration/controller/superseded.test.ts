import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReleaseInventorySpec } from '../../../api/inventory.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Well below the minute for which a CRD that is not served is awaited in place. */
const AT_ONCE_MS = 20_000;

let group = '';

function crd(plural: string, kind: string) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  };
}

/** A kind that another CRD has taken, so that the Release's own one is never served and its instance waits for it. */
function waiting(): string {
  const instance = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'one' } };
  return documents(`${JSON.stringify(crd('gadgets', 'Widget'))}\n`, `${JSON.stringify(instance)}\n`);
}

beforeEach(async () => {
  group = `g${randomBytes(4).toString('hex')}.example.com`;
  await releases.cluster.api.must('POST', CRDS, crd('widgets', 'Widget'));
  await releases.cluster.api.waitForNamed(CRDS, `widgets.${group}`, (object) =>
    JSON.stringify(object['status']).includes('"type":"Established"'),
  );
  await releases.create({ source: { inline: waiting() } });
  await releases.cluster.api.waitForNamed(CRDS, `gadgets.${group}`, () => true);
});

afterEach(async () => {
  for (const plural of ['gadgets', 'widgets']) {
    await releases.cluster.api.request('DELETE', `${CRDS}/${plural}.${group}`);
  }
});

test('a new render is taken up at once where the one before it still waits', async () => {
  await releases.inline(configMapYaml('second'));
  const release = await releases.ready('Applied', NAME, AT_ONCE_MS);
  expect(release.status?.history).toHaveLength(1);
  expect(await releases.find('configmaps/second')).toBeDefined();
});

test('a deletion is taken up at once where the apply still waits, and loses nothing', async () => {
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=20s');
  expect(await releases.findAt(`${CRDS}/gadgets.${group}`)).toBeUndefined();
  expect(await releases.inventory()).toEqual([]);
});

test('what was applied before a reconcile was superseded is listed with its UID', async () => {
  await releases.inline(documents(configMapYaml('kept'), waiting()));
  const kept = await releases.cluster.api.waitForNamed(
    `/api/v1/namespaces/${releases.namespace}/configmaps`,
    'kept',
    () => true,
  );
  await releases.inline(configMapYaml('kept'));
  await releases.ready('Applied', NAME, AT_ONCE_MS);
  const entries = (await releases.inventory()).flatMap(({ spec }) => (spec as ReleaseInventorySpec).entries);
  expect(entries.map(({ name, uid }) => [name, uid])).toEqual([['kept', kept.metadata.uid]]);
});
