import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENTRIES_PER_SHARD } from '../../../api/limits.ts';
import { useCluster, useNamespace } from '../../controlplane/fixture.ts';
import { ControllerProcess } from '../../support/controllerProcess.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { documents, NAME, namesIn, Releases } from './fixture.ts';

const cluster = useCluster();
let controller: ControllerProcess;
const releases = new Releases(cluster, useNamespace(cluster), () => controller);

beforeEach(async () => {
  controller = await ControllerProcess.start(cluster.kubeconfigPath);
});
afterEach(() => controller.stop());

const INVENTORIES = 'releaseinventories.core.convoy.kumodo.io';

function inventoriesPath(): string {
  return `/apis/core.convoy.kumodo.io/v1alpha1/namespaces/${releases.namespace}/releaseinventories`;
}

/** As people do when a deletion hangs. */
async function removeWithoutFinalizer(path: string): Promise<void> {
  await cluster.api.must('PATCH', path, { metadata: { finalizers: null } });
  const { status } = await cluster.api.request('DELETE', path);
  expect([200, 404]).toContain(status);
}

describe('the inventory of a Release that is deleted without its finalizer', () => {
  test('goes too, so that its namespace can', async () => {
    const release = await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await controller.kill();
    await removeWithoutFinalizer(`${releasesPath(releases.namespace)}/${NAME}`);
    controller = await ControllerProcess.start(cluster.kubeconfigPath);
    await releases.untilGone(INVENTORIES, `${release.metadata.uid ?? ''}-0`);
    expect(await releases.find('configmaps/web')).toBeDefined();
  });

  test('goes while a Release of the same name keeps its own', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    const before = await releases.ready('Applied');
    // Deleted by its owner's deletion alone, as a finalizer that is taken off brings it about.
    await cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}?propagationPolicy=Orphan`);
    await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
    await releases.create({ source: { inline: configMapYaml('web') } });
    const release = await releases.ready('Applied');
    expect(release.metadata.uid).not.toBe(before.metadata.uid);
    const shards = await releases.inventory();
    expect(shards.map(({ metadata }) => metadata.name)).toEqual([`${release.metadata.uid ?? ''}-0`]);
  });
});

test('a shard that somebody deleted is written again, and hides none of those after it', async () => {
  const names = Array.from({ length: ENTRIES_PER_SHARD + 1 }, (_, index) => `web-${index}`);
  const syncPolicy = { prune: { orphaned: true } };
  await releases.create({
    source: { inline: documents(...names.map((name) => configMapYaml(name))) },
    syncPolicy,
  });
  const { metadata } = await releases.ready('Applied', NAME, 60_000);
  const uid = metadata.uid ?? '';
  const last = (await releases.inventory()).find((shard) => shard.metadata.name === `${uid}-1`);
  const [hidden = ''] = last === undefined ? [] : namesIn(last);
  await removeWithoutFinalizer(`${inventoriesPath()}/${uid}-0`);

  await releases.inline(configMapYaml('web-0'));
  await releases.ready('Applied');
  expect(await releases.find(`configmaps/${hidden}`)).toBeUndefined();
  expect((await releases.inventory()).flatMap(namesIn)).toEqual(['web-0']);
});
