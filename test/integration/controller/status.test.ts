import { describe, expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { condition, documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const inWave = (name: string, wave: number): string =>
  configMapYaml(`${name}, annotations: {convoy.kumodo.io/sync-wave: "${wave}"}`);
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

async function apply(value: string): Promise<Release> {
  await releases.inline(configMapYaml('web', { value }));
  return await releases.ready('Applied');
}

describe('a Release that is applied', () => {
  test('is what kubectl wait waits for and kubectl get shows', async () => {
    const waiting = releases.cluster.kubectl(
      'wait',
      '--for=condition=Ready',
      '--timeout=30s',
      `release/${NAME}`,
      '-n',
      releases.namespace,
    );
    await releases.create({ source: { inline: configMapYaml('web') } });
    expect(await waiting).toContain('condition met');
    const shown = await releases.cluster.kubectl('get', 'rel', NAME, '-n', releases.namespace);
    expect(shown).toMatch(/app +True +Applied +\d+s +1 object in 1 wave applied/);
  });

  test('has conditions of its generation', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    const first = await releases.ready('Applied');
    expect(condition(first, 'Ready')).toEqual({
      type: 'Ready',
      status: 'True',
      reason: 'Applied',
      message: '1 object in 1 wave applied',
    });
    expect(condition(first, 'Applied')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(condition(first, 'Healthy')).toMatchObject({ status: 'True', reason: 'NotAssessed' });
    expect(condition(first, 'RolloutSucceeded')).toBeUndefined();
    expect(first.status?.observedGeneration).toBe(1);
    const second = await apply('two');
    expect(second.metadata.generation).toBe(2);
    expect(second.status?.observedGeneration).toBe(2);
    expect(second.status?.conditions?.map(({ observedGeneration }) => observedGeneration)).toEqual([2, 2, 2]);
    expect(second.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(
      first.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime),
    );
  });

  test('has an entry for each wave, with times that later reconciles keep', async () => {
    await releases.create({ source: { inline: documents(inWave('a', 3), inWave('b', -1), inWave('c', 3)) } });
    const { status } = await releases.ready('Applied');
    expect(status?.waves).toMatchObject([
      { number: -1, resources: 1, applied: 1, state: 'Completed' },
      { number: 3, resources: 2, applied: 2, state: 'Completed' },
    ]);
    for (const { startedAt, completedAt } of status?.waves ?? []) {
      expect(startedAt).toMatch(RFC3339);
      expect(completedAt !== undefined && completedAt >= startedAt).toBe(true);
    }
    await releases.patch({ spec: { interval: '20m' } });
    expect((await releases.ready('Applied')).status?.waves).toEqual(status?.waves);
  });

  test('keeps the latest renders, numbered, up to its limit', async () => {
    await releases.create({ source: { inline: configMapYaml('web', { value: '1' }) }, historyLimit: 3 });
    await releases.ready('Applied');
    for (const value of ['2', '3', '4']) await apply(value);
    const { status } = await apply('1');
    expect(status?.history?.map(({ number }) => number)).toEqual([5, 4, 3]);
    const [latest] = status?.history ?? [];
    expect(status?.lastSuccessful).toEqual({
      renderRef: latest?.renderRef,
      revision: latest?.revision,
      at: latest?.appliedAt,
    });
    expect(status?.lastAttempted).toMatchObject({ renderRef: latest?.renderRef, revision: latest?.revision });
    expect(status?.lastHealthy?.renderRef).toBe(latest?.renderRef);
    await releases.patch({ spec: { historyLimit: 1 } });
    expect((await releases.ready('Applied')).status?.history).toEqual([latest]);
  });

  test('tells its first apply and each change of its message by one event', async () => {
    await releases.create({ source: { inline: configMapYaml('web') } });
    await releases.event('Normal', 'Applied', '1 object in 1 wave applied');
    await releases.inline(documents(configMapYaml('web'), configMapYaml('more')));
    await releases.event('Normal', 'Applied', '2 objects in 1 wave applied');
  });
});

describe('a suspended Release', () => {
  test('applies nothing until it is resumed, and then what it holds', async () => {
    await releases.create({ source: { inline: configMapYaml('web', { value: 'one' }) } });
    const before = await releases.ready('Applied');
    await releases.patch({
      spec: { suspend: true, source: { inline: configMapYaml('web', { value: 'two' }) } },
    });
    const suspended = await releases.ready('Suspended');
    expect(readyMessage(suspended)).toContain('spec.suspend');
    expect(condition(suspended, 'Applied')).toEqual(condition(before, 'Applied'));
    expect(suspended.status?.lastAttempted).toEqual(before.status?.lastAttempted);
    expect((await releases.find('configmaps/web'))?.['data']).toEqual({ value: 'one' });
    await releases.event('Normal', 'Suspended', 'spec.suspend');
    await releases.patch({ spec: { suspend: false } });
    await releases.ready('Applied');
    expect((await releases.find('configmaps/web'))?.['data']).toEqual({ value: 'two' });
  });

  test('that never ran holds nothing', async () => {
    await releases.create({ source: { inline: configMapYaml('web') }, suspend: true });
    const release = await releases.ready('Suspended');
    expect(release.metadata.finalizers).toBeUndefined();
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});
