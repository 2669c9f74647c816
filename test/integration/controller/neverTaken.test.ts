import { describe, expect, test } from 'vitest';
import { JudgingWebhook } from '../../support/admissionWebhook.ts';
import { configMapYaml, releasesPath } from '../../support/releases.ts';
import { condition, documents, NAME, useReleases } from './fixture.ts';
import { namespaceYaml } from './objects.ts';

const releases = useReleases();

const INVENTORIES = '/apis/core.convoy.kumodo.io/v1alpha1';

async function remove(): Promise<void> {
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
}

async function goneRelease(): Promise<void> {
  await releases.untilGone('releases.core.convoy.kumodo.io', NAME);
}

/** The Release as a source would have it in it. */
function itselfYaml(): string {
  return `
apiVersion: core.convoy.kumodo.io/v1alpha1
kind: Release
metadata: {name: ${NAME}, namespace: ${releases.namespace}}
spec: {interval: 11m}
`;
}

describe('a Release that brings the Namespace that it is in', () => {
  test('goes without it when it is deleted, and says so', async () => {
    const source = documents(namespaceYaml(releases.namespace), configMapYaml('web'));
    await releases.create({ source: { inline: source } });
    await releases.ready('Applied');
    await remove();
    await releases.event('Warning', 'LeftBehind', 'this Release itself is in it');
    await goneRelease();
    const namespace = await releases.findAt(`/api/v1/namespaces/${releases.namespace}`);
    expect(namespace?.metadata['deletionTimestamp']).toBeUndefined();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('keeps it when it leaves the source', async () => {
    const source = documents(namespaceYaml(releases.namespace), configMapYaml('web'));
    const syncPolicy = { prune: { orphaned: true } };
    await releases.create({ source: { inline: source }, syncPolicy });
    await releases.ready('Applied');
    await releases.inline(configMapYaml('web'));
    await releases.ready('Applied');
    const namespace = await releases.findAt(`/api/v1/namespaces/${releases.namespace}`);
    expect(namespace?.metadata['deletionTimestamp']).toBeUndefined();
  });
});

describe('a Release that brings itself', () => {
  test('does not wait for itself when it is deleted', async () => {
    await releases.create({ source: { inline: documents(itselfYaml(), configMapYaml('web')) } });
    await releases.ready('Applied');
    await remove();
    await goneRelease();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });

  test('is not pruned by itself', async () => {
    const syncPolicy = { prune: { orphaned: true } };
    await releases.create({
      source: { inline: documents(itselfYaml(), configMapYaml('web')) },
      syncPolicy,
    });
    await releases.ready('Applied');
    await releases.inline(configMapYaml('web'));
    const release = await releases.ready('Applied');
    expect(release.metadata.deletionTimestamp).toBeUndefined();
  });
});

test('a source with an inventory in it is refused: it could make Convoy delete anything', async () => {
  const inventory =
    'apiVersion: core.convoy.kumodo.io/v1alpha1\nkind: ReleaseInventory\nmetadata: {name: x}\nspec: {entries: []}\n';
  await releases.create({ source: { inline: documents(inventory, configMapYaml('web')) } });
  const release = await releases.ready('RenderFailed');
  expect(condition(release, 'Ready')?.message).toContain('written by Convoy alone');
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('an object that somebody wrote into the inventory is not deleted', async () => {
  await releases.createConfigMap('precious', { data: { key: 'value' } });
  const precious = await releases.find('configmaps/precious');
  const spec = { source: { inline: configMapYaml('web') }, syncPolicy: { prune: { orphaned: true } } };
  await releases.create(spec);
  await releases.ready('Applied');
  const [shard] = await releases.inventory();
  const { entries } = shard?.['spec'] as { entries: object[] };
  const forged = { ...entries[0], name: 'precious', uid: precious?.metadata.uid };
  const path = `${INVENTORIES}/namespaces/${releases.namespace}/releaseinventories/${shard?.metadata.name ?? ''}`;
  await releases.cluster.api.must('PATCH', path, { spec: { entries: [...entries, forged] } });
  await releases.inline(configMapYaml('other'));
  await releases.ready('Applied');
  expect(await releases.find('configmaps/web')).toBeUndefined();
  expect(await releases.find('configmaps/precious')).toEqual(precious);
});

test('an object whose deletion a webhook answers with a conflict is not lost: it is tried again', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const webhook = await JudgingWebhook.start(
    releases.cluster.api,
    releases.namespace,
    { resource: 'configmaps', operation: 'DELETE' },
    () => ({ code: 409, reason: 'Conflict', message: 'a backup is running' }),
  );
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps/web?dryRun=All`;
  await webhook.inUse(() => releases.cluster.api.request('DELETE', path));
  await remove();
  const held = await releases.ready('Deleting');
  expect(condition(held, 'Ready')?.message).toContain('a backup is running');
  expect(await releases.find('configmaps/web')).toBeDefined();

  await webhook.end();
  await goneRelease();
  expect(await releases.find('configmaps/web')).toBeUndefined();
});
