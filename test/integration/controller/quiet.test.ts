import { expect, test } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { configMapYaml } from '../../support/releases.ts';
import { isByConvoy } from '../../support/auditOrder.ts';
import { documents, NAME, useAuditedReleases } from './fixture.ts';

const { releases, plane } = useAuditedReleases();

const WRITES = new Set(['create', 'update', 'patch', 'delete']);

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

/** Makes the Release due, and waits until the reconcile of it has read the inventory. */
async function touch(value: string): Promise<AuditEvent> {
  await releases.patch({ metadata: { annotations: { touched: value } } });
  const touches = (event: AuditEvent): boolean =>
    event.verb === 'patch' && event.objectRef?.name === NAME && !isByConvoy(event);
  await plane().waitForAuditEvent(touches);
  const since = (await plane().auditEvents()).findLast(touches);
  if (since === undefined) throw new Error('the touch is in the audit log');
  await plane().waitForAuditEvent(
    (event) =>
      isByConvoy(event) &&
      event.objectRef?.resource === 'releaseinventories' &&
      event.stage === 'ResponseComplete' &&
      event.requestReceivedTimestamp > since.requestReceivedTimestamp,
  );
  return since;
}

test('a reconcile that changes nothing writes no status, no inventory and no object', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const object = await releases.find('configmaps/web');
  const inventory = await releases.inventory();

  const first = await touch('once');
  // A Release is reconciled once at a time, so the first of them has ended when the second works.
  await touch('twice');

  expect(await releases.find('configmaps/web')).toEqual(object);
  expect(await releases.inventory()).toEqual(inventory);
  const writes = (await requests())
    .filter(({ verb, stageTimestamp }) => WRITES.has(verb) && stageTimestamp > first.stageTimestamp)
    // The Event of the first apply is written behind it, and may come this late.
    .filter(({ objectRef }) => objectRef?.resource !== 'events')
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}`);
  expect(writes).toEqual([]);
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
