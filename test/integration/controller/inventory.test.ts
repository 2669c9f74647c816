import { expect, test } from 'vitest';
import { FINALIZER } from '../../../api/annotations.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, NAME, namesIn, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

const configMaps = (from: number, to: number): string =>
  documents(...Array.from({ length: to - from }, (_, index) => configMapYaml(`web-${from + index}`)));

test('each object is listed with its UID, wave, stage and render', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const inline = documents(
    boatCrdYaml(group),
    boatYaml(group, 'titanic, annotations: {convoy.kumodo.io/sync-wave: "2"}'),
    configMapYaml('web, annotations: {convoy.kumodo.io/delete-order: "-3"}'),
  );
  await releases.create({ source: { inline } });
  const { metadata, status } = await releases.ready('Applied');
  const renderRef = status?.lastSuccessful?.renderRef;
  const [shard, ...others] = await releases.inventory();
  expect(others).toEqual([]);
  expect(shard?.metadata).toMatchObject({
    name: `${metadata.uid ?? ''}-0`,
    finalizers: [FINALIZER],
    labels: { 'convoy.kumodo.io/release': NAME, 'convoy.kumodo.io/release-namespace': releases.namespace },
    ownerReferences: [{ kind: 'Release', name: NAME, uid: metadata.uid, controller: true }],
  });
  const web = await releases.find('configmaps/web');
  const titanic = await releases.find('boats/titanic', `/apis/${group}/v1`);
  expect(shard?.['spec']).toEqual({
    entries: [
      expect.objectContaining({ name: `boats.${group}`, namespace: '', wave: 0, stage: 'Types', renderRef }),
      expect.objectContaining({
        group,
        name: 'titanic',
        uid: titanic?.metadata.uid,
        wave: 2,
        stage: 'Instances',
      }),
      {
        group: '',
        version: 'v1',
        kind: 'ConfigMap',
        namespace: releases.namespace,
        name: 'web',
        uid: web?.metadata.uid,
        wave: 0,
        stage: 'Regular',
        deleteOrder: -3,
        renderRef,
      },
    ],
  });
});

test('what was applied before a failure is listed, and goes with the Release', async () => {
  const group = `${releases.namespace}.convoy.kumodo.io`;
  const bad = boatYaml(group, 'bad, annotations: {convoy.kumodo.io/sync-wave: "1"}', '{masts: three}');
  await releases.create({ source: { inline: documents(configMapYaml('web'), boatCrdYaml(group), bad) } });
  const failed = await releases.ready('ApplyFailed');
  expect(failed.status?.waves).toMatchObject([
    { number: 0, resources: 2, applied: 2 },
    { number: 1, resources: 1, applied: 0 },
  ]);
  expect(failed.status?.waves?.[1]).not.toHaveProperty('completedAt');
  const names = (await releases.inventory()).flatMap(namesIn).sort();
  expect(names).toEqual(['bad', `boats.${group}`, 'web']);
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
  expect(await releases.find('configmaps/web')).toBeUndefined();
  expect(
    await releases.findAt(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${group}`),
  ).toBeUndefined();
});

test(
  '1,200 objects take three shards, which shrink when objects are pruned',
  { timeout: 180_000 },
  async () => {
    const started = performance.now();
    await releases.create({
      source: { inline: configMaps(0, 1200) },
      syncPolicy: { prune: { orphaned: true } },
    });
    const applied = await releases.ready('Applied', NAME, 90_000);
    console.log(`1,200 ConfigMaps are applied after ${(performance.now() - started).toFixed(0)} ms`);
    expect(applied.status?.inventory).toEqual({ entries: 1200, shards: 3 });
    const shards = await releases.inventory();
    expect(shards.map((shard) => namesIn(shard).length).sort()).toEqual([200, 500, 500]);
    expect(new Set(shards.flatMap(namesIn)).size).toBe(1200);

    await releases.inline(configMaps(0, 1));
    const pruned = await releases.ready('Applied', NAME, 60_000);
    expect(pruned.status?.inventory?.entries).toBe(1);
    expect((await releases.inventory()).flatMap(namesIn)).toEqual(['web-0']);
    expect(pruned.status?.inventory?.shards).toBe((await releases.inventory()).length);

    await releases.inline(configMaps(0, 20));
    expect((await releases.ready('Applied')).status?.inventory?.entries).toBe(20);
    expect((await releases.inventory()).flatMap(namesIn)).toHaveLength(20);
  },
);
