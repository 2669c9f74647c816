import { afterEach, expect, test } from 'vitest';
import { JudgingWebhook } from '../../support/admissionWebhook.ts';
import { RefusingPolicy } from '../../support/admissionPolicy.ts';
import { configMapYaml, readyMessage, releasesPath } from '../../support/releases.ts';
import { condition, documents, NAME, namesIn, useReleases } from './fixture.ts';

const releases = useReleases();

const KEEP = configMapYaml('keep');
const DELETES = { resource: 'configmaps', operation: 'DELETE' } as const;

const configMaps = (): string => `/api/v1/namespaces/${releases.namespace}/configmaps`;
const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn).sort();

let guard: { end: () => Promise<void> } | undefined;
afterEach(async () => {
  await guard?.end();
  guard = undefined;
});

async function letThrough(): Promise<void> {
  await guard?.end();
  guard = undefined;
}

async function policy(): Promise<void> {
  const { api } = releases.cluster;
  guard = await RefusingPolicy.start(
    api,
    releases.namespace,
    { ...DELETES, allows: 'oldObject.metadata.name != "old"' },
    () => api.request('DELETE', `${configMaps()}/old?dryRun=All`),
  );
}

async function webhook(): Promise<void> {
  const { api } = releases.cluster;
  const refusal = { code: 403, reason: 'Forbidden', message: 'the house keeps it' };
  const started = await JudgingWebhook.start(api, releases.namespace, DELETES, ({ name }) =>
    name === 'old' ? refusal : undefined,
  );
  await started.inUse(() => api.request('DELETE', `${configMaps()}/old?dryRun=All`));
  guard = started;
}

/** Who refuses, and how the message tells whom to ask. */
const GUARDS = [
  ['an admission policy', policy, 'ValidatingAdmissionPolicy'],
  ['a webhook', webhook, 'an admission webhook refuses it'],
] as const;

async function standing(): Promise<void> {
  const source = { inline: documents(KEEP, configMapYaml('old'), configMapYaml('older')) };
  await releases.create({ source, syncPolicy: { prune: { orphaned: true } } });
  await releases.ready('Applied');
}

test.each(GUARDS)(
  'a prune that %s refuses is told, keeps the object listed, and is tried again until it is let through',
  async (_, start, advice) => {
    await standing();
    await start();
    await releases.inline(KEEP);
    const refused = await releases.ready('PruneFailed');
    expect(readyMessage(refused)).toContain(`ConfigMap old in ${releases.namespace}`);
    expect(readyMessage(refused)).toContain('the house keeps it');
    expect(readyMessage(refused)).toContain(advice);
    expect(condition(refused, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(refused.status?.lastAttempted?.failure?.stage).toBe('Prune');
    // The one that is refused keeps no other.
    expect(await releases.find('configmaps/older')).toBeUndefined();
    expect(await listed()).toEqual(['keep', 'old']);
    expect(await releases.find('configmaps/old')).toBeDefined();

    // Nothing tells of it: neither an event nor a change of the Release.
    await letThrough();
    await releases.ready('Applied');
    expect(await releases.find('configmaps/old')).toBeUndefined();
    expect(await listed()).toEqual(['keep']);
  },
);

test('what a prune could not remove is still removed by the next render', async () => {
  await standing();
  await policy();
  await releases.inline(KEEP);
  await releases.ready('PruneFailed');
  await releases.inline(documents(KEEP, configMapYaml('new')));
  const { metadata } = await releases.get();
  const refused = await releases.until(
    ({ status }) =>
      status?.observedGeneration === metadata.generation && status?.lastAttempted?.failure?.stage === 'Prune',
  );
  expect(condition(refused, 'Applied')).toMatchObject({ status: 'True' });
  expect(await listed()).toEqual(['keep', 'new', 'old']);
  await letThrough();
  await releases.ready('Applied');
  expect(await listed()).toEqual(['keep', 'new']);
});

test('an object that comes back into the source meanwhile is no longer pruned', async () => {
  await standing();
  await policy();
  const old = await releases.find('configmaps/old');
  await releases.inline(KEEP);
  await releases.ready('PruneFailed');
  await releases.inline(documents(KEEP, configMapYaml('old')));
  await releases.ready('Applied');
  await letThrough();
  await releases.sync();
  expect((await releases.find('configmaps/old'))?.metadata.uid).toBe(old?.metadata.uid);
  expect(await listed()).toEqual(['keep', 'old']);
});

test.each(GUARDS)(
  'a deletion that %s refuses is told, and goes on when it is let through',
  async (_, start) => {
    await standing();
    await start();
    await releases.cluster.api.must('DELETE', `${releasesPath(releases.namespace)}/${NAME}`);
    const held = await releases.ready('Deleting');
    expect(readyMessage(held)).toContain(`ConfigMap old in ${releases.namespace}`);
    expect(readyMessage(held)).toContain('the house keeps it');
    expect(await listed()).toEqual(['old']);
    await letThrough();
    await releases.cluster.api.waitForGone(releasesPath(releases.namespace), NAME);
    expect(await releases.find('configmaps/old')).toBeUndefined();
  },
);
