import { describe, expect, test } from 'vitest';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, namesIn, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

const PRUNE = { prune: { orphaned: true } };
const KEEP = configMapYaml('keep');
const HOLD = 'test.convoy.kumodo.io/hold';
/** The watch tells: nothing is polled, and no back-off has to run out (ms). */
const AT_ONCE_MS = 2_000;

const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn);

describe('a prune', () => {
  test('that a finalizer blocks names it, keeps the object listed, and ends at once when it is let go', async () => {
    await releases.create({ source: { inline: documents(KEEP, configMapYaml('old')) }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.patchConfigMap('old', { metadata: { finalizers: [HOLD] } });
    await releases.inline(KEEP);
    const blocked = await releases.ready('PruneFailed');
    expect(readyMessage(blocked)).toBe(
      `ConfigMap old in ${releases.namespace} is being deleted: held by its finalizers ${HOLD}`,
    );
    expect(condition(blocked, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(blocked.status?.lastAttempted?.failure?.stage).toBe('Prune');
    expect(blocked.status?.lastSuccessful?.renderRef).toBe(blocked.status?.lastAttempted?.renderRef);
    expect(await listed()).toEqual(['keep', 'old']);
    await releases.event('Warning', 'PruneFailed', HOLD);

    const since = performance.now();
    await releases.patchConfigMap('old', { metadata: { finalizers: null } });
    await releases.ready('Applied');
    const took = performance.now() - since;
    console.log(`a prune ends ${took.toFixed(0)} ms after its finalizer is removed`);
    expect(took).toBeLessThan(AT_ONCE_MS);
    expect(await listed()).toEqual(['keep']);
  });

  test('that is blocked does not keep a new render waiting', async () => {
    await releases.create({ source: { inline: documents(KEEP, configMapYaml('old')) }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.patchConfigMap('old', { metadata: { finalizers: [HOLD] } });
    await releases.inline(KEEP);
    await releases.ready('PruneFailed');
    await releases.inline(documents(KEEP, configMapYaml('new')));
    await releases.cluster.api.waitForNamed(
      `/api/v1/namespaces/${releases.namespace}/configmaps`,
      'new',
      () => true,
      AT_ONCE_MS,
    );
    await releases.patchConfigMap('old', { metadata: { finalizers: null } });
    await releases.ready('Applied');
  });

  test('leaves a CRD with instances of somebody else, names them, and ends at once when they are gone', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const boats = `/apis/${group}/v1/namespaces/${releases.namespace}/boats`;
    const crd = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`;
    const inline = documents(KEEP, boatCrdYaml(group), boatYaml(group, 'own'));
    await releases.create({ source: { inline }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.cluster.api.must('POST', boats, {
      apiVersion: `${group}/v1`,
      kind: 'Boat',
      metadata: { name: 'foreign' },
    });

    await releases.inline(KEEP);
    const blocked = await releases.ready('PruneFailed');
    expect(readyMessage(blocked)).toContain(
      `CustomResourceDefinition boats.${group} is kept: 1 instance of it would go with it`,
    );
    expect(readyMessage(blocked)).toContain(`${group}/Boat foreign in ${releases.namespace}`);
    expect(condition(blocked, 'Applied')).toMatchObject({ status: 'True' });
    expect(await releases.findAt(`${boats}/foreign`)).toBeDefined();
    expect(await releases.findAt(`${boats}/own`)).toBeUndefined();
    expect((await releases.findAt(crd))?.metadata).not.toHaveProperty('deletionTimestamp');
    expect((await listed()).sort()).toEqual([`boats.${group}`, 'keep']);

    const since = performance.now();
    await releases.cluster.api.must('DELETE', `${boats}/foreign`);
    await releases.ready('Applied');
    console.log(
      `a CRD is pruned ${(performance.now() - since).toFixed(0)} ms after its last instance is gone`,
    );
    expect(performance.now() - since).toBeLessThan(AT_ONCE_MS);
    expect(await releases.findAt(crd)).toBeUndefined();
    expect(await listed()).toEqual(['keep']);
  });

  test('of a CRD waits while the source has instances of it', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    const own = boatYaml(group, 'own');
    await releases.create({ source: { inline: documents(boatCrdYaml(group), own) }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.inline(own);
    const blocked = await releases.ready('PruneFailed');
    expect(readyMessage(blocked)).toContain(`${group}/Boat own in ${releases.namespace}`);
    expect(
      await releases.findAt(`/apis/${group}/v1/namespaces/${releases.namespace}/boats/own`),
    ).toBeDefined();
    await releases.inline(KEEP);
    await releases.ready('Applied');
    expect(await listed()).toEqual(['keep']);
  });
});
