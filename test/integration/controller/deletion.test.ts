import { describe, expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import { configMapYaml, readyMessage, releasesPath } from '../../support/releases.ts';
import { condition, documents, NAME, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml, namespaceYaml } from './objects.ts';

const releases = useReleases();

const HOLD = 'test.convoy.kumodo.io/hold';
const HELD = configMapYaml(`held, finalizers: [${HOLD}]`);

/** Waits for the end of a deletion; nothing of the Release is left then. */
async function gone(): Promise<void> {
  await releases.untilGone('release', NAME);
  expect(await releases.inventory()).toEqual([]);
}

async function deleteRelease(propagationPolicy = 'Background'): Promise<void> {
  const path = `${releasesPath(releases.namespace)}/${NAME}`;
  await releases.cluster.api.must('DELETE', path, { propagationPolicy });
}

const letGo = (): Promise<void> => releases.patchConfigMap('held', { metadata: { finalizers: null } });

describe('a Release that is deleted', () => {
  test('takes its objects and its inventory with it', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const own = `${releases.namespace}-own`;
    const inline = documents(
      namespaceYaml(own),
      configMapYaml(`inside, namespace: ${own}`),
      boatCrdYaml(group),
      boatYaml(group, 'titanic'),
      configMapYaml('web'),
    );
    await releases.create({ source: { inline } });
    const release = await releases.ready('Applied');
    expect(release.metadata.finalizers).toEqual([FINALIZER]);
    expect(await releases.inventory()).toHaveLength(1);
    await deleteRelease();
    await gone();
    for (const path of [
      `/api/v1/namespaces/${own}`,
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`,
      `/api/v1/namespaces/${releases.namespace}/configmaps/web`,
    ])
      expect(await releases.findAt(path)).toBeUndefined();
  });

  test.each(['Background', 'Foreground', 'Orphan'])(
    'with propagationPolicy %s waits for what blocks, and then nothing is left',
    async (policy) => {
      await releases.create({ source: { inline: documents(HELD, configMapYaml('web')) } });
      await releases.ready('Applied');
      await deleteRelease(policy);
      const blocked = await releases.ready('Deleting');
      const message = `ConfigMap held in ${releases.namespace} is being deleted: held by its finalizers ${HOLD}`;
      expect(readyMessage(blocked)).toBe(message);
      expect(condition(blocked, 'Applied')).toMatchObject({ status: 'False', reason: 'Deleting', message });
      expect(await releases.inventory()).toHaveLength(1);
      await releases.event('Warning', 'Deleting', HOLD);

      const since = performance.now();
      await letGo();
      await gone();
      // By an event: the next look without one is after the interval of ten minutes. Kubernetes' garbage collector,
      // which ends a foreground deletion, stands still for up to half a minute when CRDs come and go.
      expect(performance.now() - since).toBeLessThan(60_000);
      expect(await releases.find('configmaps/web')).toBeUndefined();
    },
    120_000,
  );

  test('goes although it is suspended', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await releases.patch({ spec: { suspend: true } });
    await releases.ready('Suspended');
    await deleteRelease();
    await gone();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('goes although its source is bad, and takes what it had applied', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await releases.inline('kind: [');
    await releases.ready('RenderFailed');
    await deleteRelease();
    await gone();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('goes at once where it never applied anything', async () => {
    await releases.create({ source: { configMap: { name: 'absent' } } });
    await releases.ready('SourceFailed');
    await deleteRelease();
    await gone();
  });

  test('leaves a CRD with instances of somebody else behind, and says so', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const boats = `/apis/${group}/v1/namespaces/${releases.namespace}/boats`;
    await releases.create({ source: { inline: documents(boatCrdYaml(group), boatYaml(group, 'own')) } });
    await releases.ready('Applied');
    await releases.cluster.api.must('POST', boats, {
      apiVersion: `${group}/v1`,
      kind: 'Boat',
      metadata: { name: 'foreign' },
    });
    await deleteRelease();
    await gone();
    expect(await releases.findAt(`${boats}/own`)).toBeUndefined();
    expect(await releases.findAt(`${boats}/foreign`)).toBeDefined();
    await releases.event('Warning', 'LeftBehind', `boats.${group} is left behind: 1 instance of it`);
    await releases.cluster.kubectl('delete', 'crd', `boats.${group}`, '--timeout=30s');
  });

  test('leaves what says prune: disabled, and the Namespace that it is in', async () => {
    const own = `${releases.namespace}-own`;
    const kept = configMapYaml(`kept, namespace: ${own}, annotations: {convoy.kumodo.io/prune: disabled}`);
    const inline = documents(namespaceYaml(own), kept, configMapYaml(`held, finalizers: [${HOLD}]`));
    await releases.create({ source: { inline } });
    await releases.ready('Applied');
    await deleteRelease();
    await releases.ready('Deleting');
    await letGo();
    await gone();
    expect(await releases.findAt(`/api/v1/namespaces/${own}/configmaps/kept`)).toBeDefined();
    const live = await releases.findAt(`/api/v1/namespaces/${own}`);
    expect(live?.metadata['deletionTimestamp']).toBeUndefined();
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${own}`);
  });

  test('leaves the Namespace of an object that said prune: disabled and left the source before', async () => {
    const own = `${releases.namespace}-own`;
    const kept = configMapYaml(`kept, namespace: ${own}, annotations: {convoy.kumodo.io/prune: disabled}`);
    await releases.create({ source: { inline: documents(namespaceYaml(own), kept) } });
    await releases.ready('Applied');
    await releases.inline(namespaceYaml(own));
    await releases.ready('Applied');
    await deleteRelease();
    await gone();
    expect(await releases.findAt(`/api/v1/namespaces/${own}/configmaps/kept`)).toBeDefined();
    const live = await releases.findAt(`/api/v1/namespaces/${own}`);
    expect(live?.metadata['deletionTimestamp']).toBeUndefined();
    await releases.event('Warning', 'LeftBehind', `ConfigMap kept in ${own} in it says`);
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${own}`);
  });

  test('leaves a CRD behind that it said so of, also where its instances are gone before the Release is', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const own = `${releases.namespace}-own`;
    const boats = `/apis/${group}/v1/namespaces/${own}/boats`;
    const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`;
    await releases.create({ source: { inline: documents(namespaceYaml(own), boatCrdYaml(group)) } });
    await releases.ready('Applied');
    await releases.cluster.api.must('POST', boats, {
      apiVersion: `${group}/v1`,
      kind: 'Boat',
      metadata: { name: 'foreign' },
    });
    const holders = `/api/v1/namespaces/${own}/configmaps`;
    await releases.cluster.api.must('POST', holders, { metadata: { name: 'held', finalizers: [HOLD] } });
    await deleteRelease();
    await releases.event('Warning', 'LeftBehind', `boats.${group} is left behind: 1 instance of it`);
    await releases.ready('Deleting');
    await releases.cluster.api.waitForGone(boats, 'foreign');
    await releases.cluster.api.must('PATCH', `${holders}/held`, { metadata: { finalizers: null } });
    await gone();
    expect((await releases.findAt(crd))?.metadata['deletionTimestamp']).toBeUndefined();
    expect(await releases.findAt(crd)).toBeDefined();
    await releases.cluster.kubectl('delete', 'crd', `boats.${group}`, '--timeout=30s');
  });

  test('does not hang the deletion of its own namespace', async () => {
    const own = `${releases.namespace}-home`;
    await releases.cluster.api.must('POST', '/api/v1/namespaces', { metadata: { name: own } });
    const spec = { source: { inline: configMapYaml('web') }, targetNamespace: releases.namespace };
    await releases.cluster.api.must('POST', releasesPath(own), {
      apiVersion: 'core.convoy.kumodo.io/v1alpha1',
      kind: 'Release',
      metadata: { name: NAME },
      spec,
    });
    await releases.cluster.api.waitForNamed(
      `/api/v1/namespaces/${releases.namespace}/configmaps`,
      'web',
      () => true,
    );
    await releases.cluster.kubectl('delete', 'namespace', own, '--timeout=40s');
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});
