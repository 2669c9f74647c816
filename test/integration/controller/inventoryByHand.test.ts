import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReleaseInventorySpec } from '../../../api/inventory.ts';
import { ENTRIES_PER_SHARD } from '../../../api/limits.ts';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
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

  test('goes too where a deletion with --cascade=orphan has stripped its owner', async () => {
    const release = await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await controller.kill();
    const path = `${releasesPath(releases.namespace)}/${NAME}`;
    const shard = `${release.metadata.uid ?? ''}-0`;
    // As the garbage collector does, where it has seen the inventory by then.
    await cluster.api.must('PATCH', `${inventoriesPath()}/${shard}`, { metadata: { ownerReferences: null } });
    await removeWithoutFinalizer(path);
    controller = await ControllerProcess.start(cluster.kubeconfigPath);
    await releases.untilGone(INVENTORIES, shard);
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

type Entry = Partial<ReleaseInventorySpec['entries'][number]>;
type Edit = (entries: Entry[]) => Entry[];

const PRUNE = { syncPolicy: { prune: { orphaned: true } } };
const entriesOf = ({ spec }: ApiObject): Entry[] => (spec as { entries: Entry[] }).entries;

/** The first shard of the Release, which is all of it. */
async function shardOf(name = NAME): Promise<string> {
  return `${(await releases.get(name)).metadata.uid ?? ''}-0`;
}

async function readEntries(): Promise<Entry[]> {
  return entriesOf(await cluster.api.must('GET', `${inventoriesPath()}/${await shardOf()}`));
}

/** Rewrites the entries of the Release, as `kubectl edit` would. */
async function edit(change: Edit): Promise<void> {
  const path = `${inventoriesPath()}/${await shardOf()}?fieldManager=kubectl-edit`;
  await cluster.api.must('PATCH', path, { spec: { entries: change(await readEntries()) } });
}

/** Waits until the inventory of the Release has these entries. */
async function listed(entries: Entry[]): Promise<void> {
  const wanted = JSON.stringify(entries);
  await cluster.api.waitForNamed(
    inventoriesPath(),
    await shardOf(),
    (shard) => JSON.stringify(entriesOf(shard)) === wanted,
    AT_ONCE_MS,
  );
}

/** Well below the interval after which a Release is looked at in any case, and above a slow machine's reconcile. */
const AT_ONCE_MS = 20_000;

describe('an inventory that somebody edits is put right at once', () => {
  const BOTH = documents(configMapYaml('settings'), configMapYaml('web'));

  test.each<[string, Edit]>([
    ['an entry is taken out', (entries) => entries.slice(1)],
    ['all entries are taken out', () => []],
    ['a UID is changed', ([first, ...rest]) => [{ ...first, uid: 'none' }, ...rest]],
    ['another wave is written', ([first, ...rest]) => [{ ...first, wave: 7 }, ...rest]],
    ['an entry is called purged', ([first, ...rest]) => [{ ...first, purged: true }, ...rest]],
    ['an entry is added', (entries) => [...entries, { ...entries[0], name: 'foreign', uid: 'none' }]],
  ])('where %s', async (_, change) => {
    await releases.create({ source: { inline: BOTH } });
    await releases.ready('Applied');
    const [before, web] = [await readEntries(), await releases.find('configmaps/web')];
    await edit(change);
    await listed(before);
    expect(await releases.find('configmaps/web')).toEqual(web);
  });

  test('where a shard is deleted', async () => {
    await releases.create({ source: { inline: BOTH } });
    await releases.ready('Applied');
    const before = await readEntries();
    await removeWithoutFinalizer(`${inventoriesPath()}/${await shardOf()}`);
    await listed(before);
  });
});

async function suspend(): Promise<void> {
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
}

async function deleteRelease(): Promise<void> {
  await cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=30s');
}

describe('an entry of somebody else in an inventory', () => {
  const FOREIGN = ['plain', 'copied', 'theirs'];

  /** Objects that Convoy did not apply, or not for this Release, each as it may be mistaken for one that it did. */
  async function createForeign(): Promise<(ApiObject | undefined)[]> {
    const labels = {
      'convoy.kumodo.io/release': NAME,
      'convoy.kumodo.io/release-namespace': releases.namespace,
    };
    await releases.createConfigMap('plain', { data: { by: 'hand' } });
    await releases.createConfigMap('copied', { data: { by: 'hand' } }, labels);
    await releases.create({ source: { inline: configMapYaml('theirs') } }, { name: 'other' });
    await releases.ready('Applied', 'other');
    return await readForeign();
  }

  async function readForeign(): Promise<(ApiObject | undefined)[]> {
    return await Promise.all(FOREIGN.map((name) => releases.find(`configmaps/${name}`)));
  }

  const forge =
    (objects: (ApiObject | undefined)[], withUid: boolean): Edit =>
    (entries) => [
      ...entries,
      ...objects.map((object, index) => {
        const { uid, ...entry } = { ...entries[0], name: FOREIGN[index] ?? '' };
        return withUid ? { ...entry, uid: object?.metadata.uid ?? uid ?? '' } : entry;
      }),
    ];

  const CASES = [
    ['with its UID', true],
    ['without a UID', false],
  ] as const;

  test.each(CASES)(
    '%s makes a prune delete nothing that Convoy did not apply for the Release',
    async (_, withUid) => {
      const foreign = await createForeign();
      await releases.create({ source: { inline: configMapYaml('web') }, ...PRUNE });
      await releases.ready('Applied');
      const own = await readEntries();
      await edit(forge(foreign, withUid));
      await listed(own);
      expect(await readForeign()).toEqual(foreign);
    },
  );

  test.each(CASES)(
    '%s makes a deletion take nothing that Convoy did not apply for the Release',
    async (_, withUid) => {
      const foreign = await createForeign();
      await releases.create({ source: { inline: configMapYaml('web') } });
      await releases.ready('Applied');
      await suspend();
      await edit(forge(foreign, withUid));
      await deleteRelease();
      expect(await readForeign()).toEqual(foreign);
      expect(await releases.find('configmaps/web')).toBeUndefined();
    },
  );

  test('that stands for nothing there can be does not hold the Release', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await suspend();
    const system = await releases.findAt('/api/v1/namespaces/kube-system');
    await edit(([web, ...rest]) => [
      { ...web },
      ...rest,
      { ...web, kind: 'Nonsense' },
      { ...web, group: 'nobody.example.org', kind: 'Nonsense' },
      { ...web, namespace: '' },
      { ...web, namespace: 'nowhere-to-be-found' },
      { ...web, name: '..' },
      { ...web, name: '../../secrets/web' },
      { ...web, kind: 'Namespace', name: releases.namespace },
      { ...web, kind: 'Namespace', namespace: '', name: 'kube-system', uid: system?.metadata.uid ?? '' },
    ]);
    await deleteRelease();
    expect(await releases.inventory()).toEqual([]);
    expect(await releases.find('configmaps/web')).toBeUndefined();
    const after = await releases.findAt('/api/v1/namespaces/kube-system');
    expect(after?.metadata['deletionTimestamp']).toBeUndefined();
  });
});

test('an object whose UID in the inventory is wrong goes with its Release: Convoy has applied it, and its labels say for whom', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  await suspend();
  await edit((entries) => entries.map((entry) => ({ ...entry, uid: 'none' })));
  await deleteRelease();
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('an object whose labels somebody took off goes with its Release: Convoy has applied it, and its UID is known', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  await suspend();
  await releases.patchConfigMap('web', { metadata: { labels: null } });
  await deleteRelease();
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

describe('a Release that is deleted after somebody has deleted its inventory while it was suspended', () => {
  test('takes what it had applied all the same, and nothing that it has left or that is not its own', async () => {
    await releases.create({ source: { inline: documents(configMapYaml('web'), configMapYaml('left')) } });
    await releases.ready('Applied');
    // Without prune it stays where it is, and still has the labels.
    await releases.inline(documents(configMapYaml('web'), configMapYaml('other')));
    await releases.ready('Applied');
    await suspend();
    await cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/configmaps/other`);
    await releases.createConfigMap('other', { data: { by: 'hand' } });
    await removeWithoutFinalizer(`${inventoriesPath()}/${await shardOf()}`);
    await deleteRelease();
    expect(await releases.find('configmaps/web')).toBeUndefined();
    expect(await releases.find('configmaps/left')).toBeDefined();
    expect((await releases.find('configmaps/other'))?.['data']).toEqual({ by: 'hand' });
    expect(await releases.inventory()).toEqual([]);
  });

  test('says how to find what is left where the render is lost as well', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.ready('Applied');
    await suspend();
    await removeWithoutFinalizer(`${inventoriesPath()}/${await shardOf()}`);
    const secrets = `/api/v1/namespaces/${releases.namespace}/secrets`;
    const list = await cluster.api.must('GET', secrets);
    for (const { metadata } of list['items'] as ApiObject[])
      await removeWithoutFinalizer(`${secrets}/${metadata.name}`);
    await deleteRelease();
    await releases.event('Warning', 'LeftBehind', `convoy.kumodo.io/release=${NAME}`);
    expect(await releases.find('configmaps/web')).toBeDefined();
  });
});
