import { expect, test } from 'vitest';
import { JudgingWebhook } from '../../support/admissionWebhook.ts';
import { configMapYaml, readyMessage, releasesPath } from '../../support/releases.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();
const HOLD = 'test.convoy.kumodo.io/hold';

async function deleteRelease(): Promise<void> {
  await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
}

test('with deletionPolicy Orphan the objects stay when the Release goes, and an event names them', async () => {
  await releases.create({
    source: { inline: documents(configMapYaml('web'), configMapYaml('settings')) },
    syncPolicy: { deletionPolicy: 'Orphan' },
  });
  await releases.ready('Applied');
  const before = await releases.find('configmaps/web');
  await deleteRelease();
  await releases.untilGone('release', NAME);
  expect(await releases.inventory()).toEqual([]);
  expect(await releases.find('configmaps/web')).toEqual(before);
  const event = await releases.event('Normal', 'LeftBehind', 'deletionPolicy is Orphan');
  expect(event['note']).toContain(`ConfigMap settings in ${releases.namespace}, ConfigMap web in`);
});

test('what was orphaned can be taken up by another Release', async () => {
  await releases.create({
    source: { inline: configMapYaml('web') },
    syncPolicy: { deletionPolicy: 'Orphan' },
  });
  await releases.ready('Applied');
  await deleteRelease();
  await releases.untilGone('release', NAME);
  await releases.create({ source: { inline: configMapYaml('web', { key: 'new' }) } }, { name: 'heir' });
  await releases.ready('Applied', 'heir');
  expect((await releases.find('configmaps/web'))?.['data']).toEqual({ key: 'new' });
});

test('a Release whose objects cannot be removed goes with force-finalize, which names them', async () => {
  await releases.create({ source: { inline: configMapYaml(`held, finalizers: [${HOLD}]`) } });
  await releases.ready('Applied');
  await deleteRelease();
  expect(readyMessage(await releases.ready('Deleting'))).toContain(HOLD);
  await releases.patch({ metadata: { annotations: { 'convoy.kumodo.io/force-finalize': 'true' } } });
  await releases.untilGone('release', NAME);
  expect(await releases.inventory()).toEqual([]);
  const event = await releases.event('Warning', 'LeftBehind', `ConfigMap held in ${releases.namespace}`);
  expect(event['note']).toContain(HOLD);
  await releases.patchConfigMap('held', { metadata: { finalizers: null } });
});

test('force-finalize on a Release that can be removed leaves nothing behind', async () => {
  await releases.create(
    { source: { inline: configMapYaml('web') } },
    { annotations: { 'convoy.kumodo.io/force-finalize': 'true' } },
  );
  await releases.ready('Applied');
  await deleteRelease();
  await releases.untilGone('release', NAME);
  expect(await releases.find('configmaps/web')).toBeUndefined();
});

test('a finalizer that a webhook does not let go is told in the status, and goes when it may', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const webhook = await JudgingWebhook.start(
    releases.cluster.api,
    releases.namespace,
    { group: 'core.convoy.kumodo.io', resource: 'releases', operation: 'UPDATE' },
    () => ({ code: 403, reason: 'Forbidden', message: 'a change freeze is on' }),
  );
  const path = `${releasesPath(releases.namespace)}/${NAME}?dryRun=All`;
  await webhook.inUse(() =>
    releases.cluster.api.request('PATCH', path, { metadata: { labels: { a: 'b' } } }),
  );
  await deleteRelease();
  const held = await releases.ready('Deleting');
  expect(readyMessage(held)).toContain('a change freeze is on');
  expect(await releases.find('configmaps/web')).toBeUndefined();
  await webhook.end();
  await releases.untilGone('release', NAME);
  expect(await releases.inventory()).toEqual([]);
});
