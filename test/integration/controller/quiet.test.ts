import { expect, test } from 'vitest';
import type { AuditEvent } from '../../controlplane/audit.ts';
import { configMapYaml } from '../../support/releases.ts';
import { documents, isByConvoy, NAME, useAuditedReleases } from './fixture.ts';

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

/** Makes the Release due, and waits until the reconcile of it has come to its last apply. */
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
      event.objectRef?.name === 'web' &&
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
  // A Release is reconciled once at a time, so the first of them is at its end when the second works.
  await touch('twice');

  expect(await releases.find('configmaps/web')).toEqual(object);
  expect(await releases.inventory()).toEqual(inventory);
  const writes = (await requests())
    .filter(({ verb, stageTimestamp }) => WRITES.has(verb) && stageTimestamp > first.stageTimestamp)
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}`);
  // Only asking tells whether an object is still as it should be.
  expect(new Set(writes)).toEqual(new Set(['patch configmaps']));
  const dryRuns = (await requests()).filter(({ requestURI }) => requestURI.includes('dryRun'));
  expect(dryRuns).toHaveLength(1);
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
