import { expect, test } from 'vitest';
import { SYNC } from '../../../api/annotations.ts';
import type { Release } from '../../../api/release.ts';
import { configMapYaml } from '../../support/releases.ts';
import { configMapIn, deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const GATE = { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '3s' } as const;

/** Asks for a sync, and waits until the request has come to something. */
async function sync(id: string, { force = false } = {}): Promise<Release> {
  await ask(id, { force });
  return await releases.until((release) => outcome(release, id) !== undefined);
}

async function ask(id: string, request: object = {}): Promise<void> {
  await releases.patch({ metadata: { annotations: { [SYNC]: JSON.stringify({ id, ...request }) } } });
}

function outcome({ status }: Release, id: string): string | undefined {
  return status?.sync?.recent?.find((request) => request.id === id)?.result;
}

test('a request is taken once, and its outcome stands under its id', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  const synced = await sync('one');
  expect(synced.status?.sync?.recent).toEqual([
    { id: 'one', force: false, at: expect.stringMatching(/Z$/) as string, result: 'Applied' },
  ]);
  expect(synced.status?.sync?.active).toBeUndefined();
  await releases.patch({ metadata: { annotations: { touched: 'again' } } });
  await sync('two');
  const { status } = await releases.get();
  expect(status?.sync?.recent?.map(({ id }) => id)).toEqual(['two', 'one']);
});

test('a request that fails before the render says why', async () => {
  await releases.create({ source: { configMap: { name: 'absent' } } });
  await releases.ready('SourceFailed');
  const failed = await sync('one');
  expect(outcome(failed, 'one')).toMatch(/^SourceFailed: .*absent/);
});

test('a request on a suspended Release says that it is', async () => {
  await releases.create({ source: { inline: configMapYaml('web') }, suspend: true });
  await releases.ready('Suspended');
  expect(outcome(await sync('one'), 'one')).toBe('Suspended: suspended by spec.suspend');
});

test('a request is at work while a wave holds, and a later one supersedes it', async () => {
  const source = sourceOf(
    deploymentIn({ wave: 0 }, 'store', { fail: 'unready' }),
    configMapIn({ wave: 1, strategy: 'waitForHealthy' }, 'front'),
  );
  await releases.create({ source: { inline: source }, healthAssessment: {} });
  await releases.ready('WaitingForWaveHealth');
  await ask('one');
  const held = await releases.until(({ status }) => status?.sync?.active?.id === 'one');
  expect(held.status?.sync?.active?.renderRef).toBe(held.status?.lastAttempted?.renderRef);
  expect(outcome(held, 'one')).toBeUndefined();
  await ask('two', { supersedes: ['zero'] });
  const later = await releases.until(({ status }) => status?.sync?.active?.id === 'two');
  expect(outcome(later, 'one')).toBe('Superseded by two');
  expect(later.status?.sync?.recent?.[0]).toMatchObject({ id: 'two', supersedes: ['zero'] });
  await releases.inline(configMapYaml('web'));
  const replaced = await releases.ready('Applied');
  expect(outcome(replaced, 'two')).toMatch(/^Superseded by sha256:/);
});

test('a forced one skips the dry run and starts the clocks of the waves again', async () => {
  const source = sourceOf(
    deploymentIn({ wave: 0 }, 'store', { fail: 'unready' }),
    configMapIn(GATE, 'front'),
  );
  await releases.create({ source: { inline: source }, healthAssessment: {} });
  const failed = await releases.ready('WaveFailed');
  await ask('again', { force: true });
  const started = await releases.until(({ status }) => status?.sync?.active?.id === 'again');
  const [before, after] = [failed, started].map(({ status }) => status?.waves?.[0]?.startedAt ?? '');
  expect(Date.parse(after ?? '')).toBeGreaterThan(Date.parse(before ?? '') + 2_999);
  expect(started.status?.conditions?.find(({ type }) => type === 'Ready')?.reason).toBe(
    'WaitingForWaveHealth',
  );
  const ended = await releases.until((release) => outcome(release, 'again') !== undefined);
  expect(outcome(ended, 'again')).toMatch(/^WaveFailed: wave 0 did not become healthy within 3s/);
});

test('one that nobody can read is no request, and an event says what is wrong', async () => {
  await releases.create({ source: { inline: configMapYaml('web') } });
  await releases.ready('Applied');
  await releases.patch({ metadata: { annotations: { [SYNC]: '{"id": 7}' } } });
  await releases.event('Warning', 'SyncRequestInvalid', 'id is no string');
  expect((await releases.get(NAME)).status?.sync).toBeUndefined();
});
