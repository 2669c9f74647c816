import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configMapYaml } from '../../support/releases.ts';
import { deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { useReleases } from './fixture.ts';

const releases = useReleases();

let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'convoy-kubectl-'))));
afterAll(() => rm(folder, { recursive: true }));

async function kubectl(verb: string, text: string, ...flags: string[]): Promise<void> {
  const file = join(folder, 'objects.yaml');
  await writeFile(file, text);
  await releases.cluster.kubectl(verb, '-n', releases.namespace, '-f', file, ...flags);
}

async function dataOf(name: string): Promise<unknown> {
  return (await releases.find(`configmaps/${name}`))?.['data'];
}

interface Managed {
  annotations?: Record<string, string>;
  managedFields?: { manager?: string }[];
}

async function managedOf(path: string, api?: string): Promise<Managed> {
  return (await releases.find(path, api))?.metadata as Managed;
}

const BOTH = configMapYaml('web', { kept: '1', dropped: '1' });
const KEPT = configMapYaml('web', { kept: '1' });

describe('a field that was set before the Release adopted the object, and that the render does not have', () => {
  test.each([
    ['apply', 'kubectl-client-side-apply'],
    ['create', 'kubectl-create'],
  ])('by kubectl %s, disappears live', async (verb, manager) => {
    await kubectl(verb, BOTH);
    expect(JSON.stringify(await managedOf('configmaps/web'))).toContain(manager);
    await releases.create({ source: { inline: KEPT } });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ kept: '1' });
    const { annotations = {}, managedFields = [] } = await managedOf('configmaps/web');
    expect(annotations).not.toHaveProperty(['kubectl.kubernetes.io/last-applied-configuration']);
    expect(managedFields.map((entry) => entry.manager)).toEqual(['convoy']);
  });

  test('by kubectl replace and edit, disappears live', async () => {
    await kubectl('create', KEPT, '--field-manager=kubectl-edit');
    await kubectl('replace', BOTH);
    await releases.create({ source: { inline: KEPT } });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ kept: '1' });
  });

  test('from before the API server kept note of managers, disappears live where kubectl apply had set it', async () => {
    await kubectl('apply', BOTH);
    const path = `/api/v1/namespaces/${releases.namespace}/configmaps/web`;
    await releases.cluster.api.must('PATCH', path, {
      data: { grown: '1' },
      metadata: { finalizers: ['example.org/hold'], managedFields: [{}] },
    });
    await releases.create({ source: { inline: KEPT } });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ kept: '1', grown: '1' });
    const live = await releases.find('configmaps/web');
    expect(live?.metadata['finalizers']).toEqual(['example.org/hold']);
    await releases.cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
  });

  test('by another controller, stays', async () => {
    await kubectl('create', BOTH, '--field-manager=some-controller');
    await releases.create({ source: { inline: KEPT } });
    await releases.ready('Applied');
    expect(await dataOf('web')).toEqual({ kept: '1', dropped: '1' });
  });
});

test('a field that was set by kubectl apply, then by the render, and taken out of it, disappears live', async () => {
  await kubectl('apply', BOTH);
  await releases.create({ source: { inline: BOTH } });
  await releases.ready('Applied');
  expect(await dataOf('web')).toEqual({ kept: '1', dropped: '1' });
  await releases.inline(KEPT);
  await releases.ready('Applied');
  expect(await dataOf('web')).toEqual({ kept: '1' });
});

test('an edit of a field that the render does not have, once the object is the Release’s own, stays', async () => {
  await releases.create({ source: { inline: KEPT } });
  await releases.ready('Applied');
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps/web?fieldManager=kubectl-edit`;
  await releases.cluster.api.must('PATCH', path, { data: { mine: '1' } });
  await releases.inline(configMapYaml('web', { kept: '2' }));
  await releases.ready('Applied');
  expect(await dataOf('web')).toEqual({ kept: '2', mine: '1' });
});

test('a Deployment whose controller writes at the same time is adopted all the same', async () => {
  const deployment = deploymentIn({ wave: 0 }, 'web') as { spec: object };
  const before = { ...deployment, spec: { ...deployment.spec, minReadySeconds: 1, revisionHistoryLimit: 3 } };
  await kubectl('apply', JSON.stringify(before));
  await releases.create({ source: { inline: sourceOf(deployment) } });
  await releases.ready('Applied');
  const live = await releases.find('deployments/web', '/apis/apps/v1');
  expect(live?.['spec']).toMatchObject({ revisionHistoryLimit: 10 });
  expect(live?.['spec']).not.toHaveProperty('minReadySeconds');
});
