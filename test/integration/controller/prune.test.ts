import { describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, namesIn, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml, namespaceYaml } from './objects.ts';

const releases = useReleases();

const PRUNE = { prune: { orphaned: true } };
const KEEP = configMapYaml('keep');
const OLD = configMapYaml('old');

const listed = async (): Promise<string[]> => (await releases.inventory()).flatMap(namesIn);

/** A Release of `keep` and `old`, which prunes. */
async function withOld(old = OLD): Promise<ApiObject | undefined> {
  await releases.create({ source: { inline: documents(KEEP, old) }, syncPolicy: PRUNE });
  await releases.ready('Applied');
  return await releases.find('configmaps/old');
}

/** Takes `old` out of the source. */
async function withoutOld(): Promise<void> {
  await releases.inline(KEEP);
  await releases.ready('Applied');
  expect(await listed()).toEqual(['keep']);
}

/** Suspends the Release, so that what others do to its objects is not put right at once. */
async function suspend(): Promise<void> {
  await releases.patch({ spec: { suspend: true } });
  await releases.ready('Suspended');
}

describe('an object that leaves the source', () => {
  test('stays and is forgotten by default', async () => {
    await releases.create({ source: { inline: documents(KEEP, OLD) } });
    await releases.ready('Applied');
    expect(await listed()).toEqual(['keep', 'old']);
    const old = await releases.find('configmaps/old');
    await withoutOld();
    expect(await releases.find('configmaps/old')).toEqual(old);
  });

  test('is removed with prune.orphaned', async () => {
    expect(await withOld()).toBeDefined();
    await withoutOld();
    expect(await releases.find('configmaps/old')).toBeUndefined();
  });

  test('is kept where it says prune: disabled', async () => {
    const old = await withOld(configMapYaml('old, annotations: {convoy.kumodo.io/prune: disabled}'));
    await withoutOld();
    expect(await releases.find('configmaps/old')).toEqual(old);
    await releases.event('Warning', 'LeftBehind', 'ConfigMap old');
  });

  test('is left where somebody else has made it anew', async () => {
    const old = await withOld();
    await suspend();
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/configmaps/old`);
    await releases.createConfigMap('old', { data: { by: 'somebody else' } });
    await releases.patch({ spec: { suspend: false, source: { inline: KEEP } } });
    await releases.ready('Applied');
    expect(await listed()).toEqual(['keep']);
    const live = await releases.find('configmaps/old');
    expect(live?.['data']).toEqual({ by: 'somebody else' });
    expect(live?.metadata.uid).not.toBe(old?.metadata.uid);
    await releases.event('Warning', 'LeftBehind', 'made anew by somebody else');
  });

  test('is left where its labels name another Release', async () => {
    await withOld();
    await suspend();
    await releases.patchConfigMap('old', { metadata: { labels: { 'convoy.kumodo.io/release': 'other' } } });
    await releases.patch({ spec: { suspend: false, source: { inline: KEEP } } });
    await releases.ready('Applied');
    expect(await listed()).toEqual(['keep']);
    expect(await releases.find('configmaps/old')).toBeDefined();
    await releases.event('Warning', 'LeftBehind', 'its labels name another Release');
  });

  test('is no matter where it is gone already', async () => {
    await withOld();
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/configmaps/old`);
    await withoutOld();
  });

  test('goes only when the new render is applied', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    await withOld();
    // Its type comes with the render, so no dry run can test it.
    const bad = documents(KEEP, boatCrdYaml(group), boatYaml(group, 'titanic', '{masts: three}'));
    await releases.inline(bad);
    const failed = await releases.ready('ApplyFailed');
    expect(readyMessage(failed)).toContain(`${group}/Boat titanic in ${releases.namespace}`);
    expect(readyMessage(failed)).toContain('spec.masts');
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
    expect(failed.status?.lastAttempted?.failure?.stage).toBe('Apply');
    expect(await releases.find('configmaps/old')).toBeDefined();
    expect(await listed()).toContain('old');

    await releases.inline(bad.replace('three', '3'));
    await releases.ready('Applied');
    expect(await releases.find('configmaps/old')).toBeUndefined();
    expect((await listed()).sort()).toEqual([`boats.${group}`, 'keep', 'titanic']);
  });
});

describe('a Namespace that leaves the source', () => {
  const content = (namespace: string, annotations = ''): string =>
    configMapYaml(`web, namespace: ${namespace}${annotations}`);

  test('stays while the source has objects in it, and goes after them', async () => {
    const name = `${releases.namespace}-own`;
    const source = { inline: documents(namespaceYaml(name), content(name)) };
    await releases.create({ source, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.inline(content(name));
    await releases.ready('Applied');
    const live = await releases.findAt(`/api/v1/namespaces/${name}`);
    expect(live?.metadata).not.toHaveProperty('deletionTimestamp');
    expect((await listed()).sort()).toEqual([name, 'web']);
    await releases.inline(KEEP);
    await releases.ready('Applied');
    expect(await releases.findAt(`/api/v1/namespaces/${name}`)).toBeUndefined();
    expect(await listed()).toEqual(['keep']);
  });

  test('stays for the sake of an object in it that says prune: disabled', async () => {
    const name = `${releases.namespace}-kept`;
    const kept = content(name, ', annotations: {convoy.kumodo.io/prune: disabled}');
    await releases.create({ source: { inline: documents(namespaceYaml(name), kept) }, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.inline(KEEP);
    await releases.ready('Applied');
    expect(await releases.findAt(`/api/v1/namespaces/${name}/configmaps/web`)).toBeDefined();
    const live = await releases.findAt(`/api/v1/namespaces/${name}`);
    expect(live?.metadata).not.toHaveProperty('deletionTimestamp');
    await releases.event('Warning', 'LeftBehind', `Namespace ${name}`);
    expect(await listed()).toEqual(['keep']);
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${name}`);
  });

  test('stays for the sake of an object that said prune: disabled and left the source before it', async () => {
    const name = `${releases.namespace}-kept`;
    const kept = content(name, ', annotations: {convoy.kumodo.io/prune: disabled}');
    const source = { inline: documents(namespaceYaml(name), kept, KEEP) };
    await releases.create({ source, syncPolicy: PRUNE });
    await releases.ready('Applied');
    await releases.inline(documents(namespaceYaml(name), KEEP));
    await releases.ready('Applied');
    expect((await listed()).sort()).toEqual(['keep', name].sort());
    await releases.inline(KEEP);
    await releases.ready('Applied');
    expect(await releases.findAt(`/api/v1/namespaces/${name}/configmaps/web`)).toBeDefined();
    const live = await releases.findAt(`/api/v1/namespaces/${name}`);
    expect(live?.metadata).not.toHaveProperty('deletionTimestamp');
    await releases.event('Warning', 'LeftBehind', `ConfigMap web in ${name} in it says`);
    expect(await listed()).toEqual(['keep']);
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${name}`);
  });
});
