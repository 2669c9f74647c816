import { crdOf } from '../../support/crd.ts';
import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { sourceOf } from '../../support/wavedObjects.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases();

/** What the annotations of one object may hold together (bytes). */
const ANNOTATIONS_LIMIT = 262_144;

const configMap = (letter: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'large' },
  data: { text: letter.repeat(300_000) },
});

/** A CRD of more than the limit, mostly of descriptions, as generators write them. */
function crd(group: string, description: string): object {
  const field = { type: 'string', description: description.repeat(1_000) };
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, field]));
  const spec = { type: 'object', properties };
  return crdOf({ group, kind: 'Boat', schema: { type: 'object', properties: { spec } } });
}

/** Nothing that Convoy writes for the objects holds them in an annotation. */
async function expectNoCopies(objects: (ApiObject | undefined)[]): Promise<void> {
  const secrets = await releases.cluster.api.must('GET', `/api/v1/namespaces/${releases.namespace}/secrets`);
  const all = [
    ...objects,
    (await releases.get()) as unknown as ApiObject,
    ...(await releases.inventory()),
    ...(secrets['items'] as ApiObject[]),
  ];
  for (const object of all) {
    expect(object).toBeDefined();
    const annotations = object?.metadata['annotations'] ?? {};
    expect(JSON.stringify(annotations).length).toBeLessThan(1_000);
  }
}

test('a ConfigMap over 262,144 bytes is applied and updated, and nothing of it stands in an annotation', async () => {
  for (const letter of ['a', 'b']) {
    const inline = sourceOf(configMap(letter));
    expect(inline.length).toBeGreaterThan(ANNOTATIONS_LIMIT);
    if (letter === 'a') await releases.create({ source: { inline } });
    else await releases.inline(inline);
    await releases.ready('Applied');
    const live = await releases.find('configmaps/large');
    expect(live?.['data']).toEqual({ text: letter.repeat(300_000) });
    expect(live?.metadata['annotations']).toBeUndefined();
    await expectNoCopies([live]);
  }
});

test('so is a CRD of that size, with an instance of it', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`;
  const boat = (value: string): object => ({
    apiVersion: `${group}/v1`,
    kind: 'Boat',
    metadata: { name: 'ferry' },
    spec: { field299: value },
  });
  for (const letter of ['a', 'b']) {
    const inline = sourceOf(crd(group, letter), boat(letter));
    expect(inline.length).toBeGreaterThan(ANNOTATIONS_LIMIT);
    if (letter === 'a') await releases.create({ source: { inline } });
    else await releases.inline(inline);
    await releases.ready('Applied');
    const live = await releases.findAt(path);
    expect(JSON.stringify(live?.['spec'])).toContain(`"description":"${letter.repeat(1_000)}"`);
    const instance = await releases.find('boats/ferry', `/apis/${group}/v1`);
    expect(instance?.['spec']).toEqual({ field299: letter });
    await expectNoCopies([live, instance]);
  }
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
});

test('a large object that somebody has created is taken over without a copy', async () => {
  await releases.createConfigMap('large', { data: { text: 'x'.repeat(300_000), more: 'theirs' } });
  await releases.create({ source: { inline: sourceOf(configMap('a')) } });
  await releases.ready('Applied');
  const live = await releases.find('configmaps/large');
  expect((live?.['data'] as Record<string, string> | undefined)?.['text']).toBe('a'.repeat(300_000));
  await expectNoCopies([live]);
});
