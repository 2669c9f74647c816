import { expect, test } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { until } from '../../bench/manyReleases.ts';
import { configMapYaml } from '../../support/releases.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { documents, useAuditedReleases } from './fixture.ts';
import { askedSince, touch } from './quietReconcile.ts';

const { releases, plane } = useAuditedReleases();

/** What Convoy has done in the test's namespace, as requests that were answered. */
async function requests(): Promise<AuditEvent[]> {
  const events = await plane().auditEvents();
  return events.filter(
    (event) =>
      isByConvoy(event) &&
      event.stage === 'ResponseComplete' &&
      event.objectRef?.namespace === releases.namespace,
  );
}

test('a reconcile that changes nothing asks the API server for nothing', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const object = await releases.find('configmaps/web');
  const inventory = await releases.inventory();

  // What the first reconcile has left to do is over when the second works.
  await touch(releases, plane(), 'once');
  const last = await touch(releases, plane(), 'twice');

  expect(await askedSince(plane(), last)).toEqual([]);
  expect(await releases.find('configmaps/web')).toEqual(object);
  expect(await releases.inventory()).toEqual(inventory);
  const dryRuns = (await requests()).filter(({ requestURI }) => requestURI.includes('dryRun'));
  expect(dryRuns).toHaveLength(1);
});

test('a new render sends the objects that it changes, and no other', async () => {
  await releases.create({ source: { inline: documents(configMapYaml('same'), configMapYaml('other')) } });
  await releases.ready('Applied');
  await releases.inline(documents(configMapYaml('same'), configMapYaml('other', { key: 'new' })));
  await releases.ready('Applied');
  const sent = (await requests())
    .filter(({ requestURI, verb }) => verb === 'patch' && !requestURI.includes('dryRun'))
    .flatMap(({ objectRef }) => (objectRef?.resource === 'configmaps' ? [objectRef.name] : []));
  expect(sent.sort()).toEqual(['other', 'other', 'same']);
});

test('a new render needs no look at the inventory', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const since = await touch(releases, plane(), 'before');
  await releases.inline(configMapYaml('web', { key: 'new' }));
  await releases.ready('Applied');
  await touch(releases, plane(), 'after');
  const asked = (await askedSince(plane(), since)).filter((request) =>
    request.includes('releaseinventories'),
  );
  expect(new Set(asked)).toEqual(new Set(['patch releaseinventories']));
});

test('the inventory of an object that flaps is written once a second, and not before its time', async () => {
  const rules = [
    { target: { group: '', kind: 'ConfigMap' }, healthy: "data.up == 'yes'", degraded: "data.up == 'no'" },
  ];
  const wanted = configMapYaml('web', { mine: 'yes' });
  await releases.create({ source: { inline: wanted }, healthAssessment: { rules } });
  await releases.until(({ status }) => status?.health?.unknown === 1);
  const begin = performance.now();
  const since = await touch(releases, plane(), 'begin');
  let flaps = 0;
  while (performance.now() - begin < 4_000) {
    flaps += 1;
    await releases.patchConfigMap('web', { data: { up: flaps % 2 === 0 ? 'yes' : 'no' } });
    await releases.until(
      ({ status }) =>
        (status?.health?.degraded ?? 0) === flaps % 2 && (status?.health?.healthy ?? 0) !== flaps % 2,
    );
  }
  const seconds = (performance.now() - begin) / 1_000;
  const state = flaps % 2 === 0 ? 'Healthy' : 'Degraded';
  // What is left unwritten is written when its second is over.
  await until(async () => JSON.stringify(await releases.inventory()).includes(`"state":"${state}"`));
  const writes = (await askedSince(plane(), since)).filter(
    (request) => request === 'patch releaseinventories',
  );
  expect(flaps).toBeGreaterThan(6);
  expect(writes.length).toBeGreaterThan(2);
  expect(writes.length).toBeLessThanOrEqual(Math.ceil(seconds) + 2);
});

test('the inventory lists every object before the first of them is applied', async () => {
  await releases.create({ source: { inline: documents(configMapYaml('a'), configMapYaml('b')) } });
  await releases.ready('Applied');
  const done = await requests();
  const listed = done.find(
    ({ verb, objectRef }) => verb === 'create' && objectRef?.resource === 'releaseinventories',
  );
  const applied = done.filter(
    ({ requestURI, objectRef }) => objectRef?.resource === 'configmaps' && !requestURI.includes('dryRun'),
  );
  expect(applied).toHaveLength(2);
  for (const { requestReceivedTimestamp } of applied)
    expect(requestReceivedTimestamp > (listed?.stageTimestamp ?? '9999')).toBe(true);
});
