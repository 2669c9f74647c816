import { describe, expect, test } from 'vitest';
import type { Release, ReleaseSpec } from '../../../api/release.ts';
import { configMapYaml, readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, type Place, sourceOf } from '../../support/wavedObjects.ts';
import { condition, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const web = (value: string): string => configMapYaml('web', { value });

async function valueOfWeb(): Promise<unknown> {
  return ((await releases.find('configmaps/web'))?.['data'] as Record<string, string> | undefined)?.['value'];
}

/** Versions 1 to n, one after another. @returns their digests */
async function shipped(versions: number, spec: Partial<ReleaseSpec> = {}): Promise<string[]> {
  await releases.create({ source: { inline: web('1') }, ...spec });
  const refs: string[] = [];
  for (let version = 1; version <= versions; version++) {
    if (version > 1) await releases.inline(web(String(version)));
    const { status } = await releases.until(({ metadata, status: now }) => {
      const isSeen = now?.observedGeneration === metadata.generation;
      return isSeen && now?.history?.[0]?.number === version;
    });
    refs.push(status?.lastSuccessful?.renderRef ?? '');
  }
  return refs;
}

const pin = (value: ReleaseSpec['pin'] | null): Promise<Release> => releases.patch({ spec: { pin: value } });

describe('a pin', () => {
  test('applies the stored render that it names by number, says so, and puts drift right', async () => {
    const [first, second] = await shipped(2);
    await pin({ history: 1, reason: 'incident 7' });
    const pinned = await releases.ready('Pinned');
    expect(await valueOfWeb()).toBe('1');
    expect(condition(pinned, 'Applied')).toEqual({
      type: 'Applied',
      status: 'True',
      reason: 'Pinned',
      message: `pinned to ${first ?? ''} (incident 7): 1 object in 1 wave applied`,
    });
    expect(condition(pinned, 'Ready')?.status).toBe('True');
    expect(pinned.status).toMatchObject({
      pin: { renderRef: first, history: 1 },
      lastSuccessful: { renderRef: first },
      lastAttempted: { renderRef: first },
    });
    expect(pinned.status?.history?.map(({ renderRef }) => renderRef)).toEqual([first, second, first]);
    await releases.patchConfigMap('web', { data: { value: 'by hand' } });
    await expect.poll(valueOfWeb).toBe('1');
  });

  test('holds whatever becomes of the source', async () => {
    const [first] = await shipped(2);
    await pin({ renderRef: first ?? '' });
    await releases.ready('Pinned');
    await releases.inline('no: {manifest');
    expect(condition(await releases.ready('Pinned'), 'Applied')?.reason).toBe('Pinned');
    expect(await valueOfWeb()).toBe('1');
  });

  test('by number stays when the entry leaves the history', async () => {
    const [first] = await shipped(2, { historyLimit: 2 });
    await pin({ history: 1 });
    const pinned = await releases.ready('Pinned');
    expect(pinned.status?.history?.map(({ number }) => number)).toEqual([3, 2]);
    await releases.patch({ metadata: { annotations: { touched: 'once' } }, spec: { interval: '5m' } });
    expect((await releases.ready('Pinned')).status?.pin?.renderRef).toBe(first);
  });

  test('to what the store does not hold changes nothing, and names what it holds', async () => {
    const [first, second] = await shipped(2);
    const missing = `sha256:${'a'.repeat(64)}`;
    await pin({ renderRef: missing });
    const failed = await releases.ready('RenderFailed');
    expect(condition(failed, 'Applied')).toMatchObject({ status: 'False', reason: 'RenderFailed' });
    expect(failed.status?.lastAttempted?.failure?.stage).toBe('Render');
    const message = readyMessage(failed);
    expect(message).toContain(`spec.pin: the render store does not hold ${missing}; pin one that it holds: `);
    expect(message).toContain(`${first ?? ''} (history 1)`);
    expect(message).toContain(`${second ?? ''} (history 2)`);
    expect(await valueOfWeb()).toBe('2');
    expect(failed.status?.lastSuccessful?.renderRef).toBe(second);
  });

  test('to a number that the history does not have says which it has', async () => {
    await shipped(2);
    await pin({ history: 9 });
    expect(readyMessage(await releases.ready('RenderFailed'))).toBe(
      'spec.pin.history: status.history has no number 9: pin one of 2, 1',
    );
  });

  test('that is taken out makes the current render a new one', async () => {
    const [, second] = await shipped(2);
    await pin({ history: 1 });
    await releases.ready('Pinned');
    await pin(null);
    const unpinned = await releases.ready('Applied');
    expect(await valueOfWeb()).toBe('2');
    expect(unpinned.status?.pin).toBeUndefined();
    expect(unpinned.status?.history?.[0]).toMatchObject({ number: 4, renderRef: second });
  });
});

describe('a pin and a rollout', () => {
  const version = (fate: Fate, gate: Place = { wave: 1 }): string =>
    sourceOf(deploymentIn({ wave: 0 }, 'store', fate), configMapIn(gate, 'front'));
  const GATE: Place = { wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '2s' };
  const policy = (
    rollback: 'Never' | 'OnReleaseFailure' | 'OnWaveFailure',
    deadline = '4s',
  ): Pick<ReleaseSpec, 'healthAssessment' | 'failurePolicy'> => ({
    healthAssessment: { deadline },
    failurePolicy: { rollback },
  });
  const stateIs =
    (state: string) =>
    ({ metadata, status }: Release): boolean =>
      status?.observedGeneration === metadata.generation && status?.rollout?.state === state;

  async function deployed(): Promise<string | undefined> {
    const found = await releases.find('deployments/store', '/apis/apps/v1');
    const { template } = found?.['spec'] as {
      template: { metadata: { annotations?: Record<string, string> } };
    };
    return template.metadata.annotations?.['convoy.kumodo.io/test-fail'];
  }

  test('the deadline of a pinned render decides nothing', async () => {
    await releases.create({ source: { inline: version({}) }, ...policy('OnReleaseFailure') });
    await releases.until(stateIs('Succeeded'));
    await releases.inline(version({ fail: 'crash' }));
    const open = await releases.until(stateIs('Progressing'));
    await pin({ renderRef: open.status?.rollout?.renderRef ?? '' });
    await releases.until(({ status }) => status?.pin !== undefined);
    // When the deadline of one that began later has passed, that of the pinned one has too.
    await releases.create(
      {
        source: {
          inline: version({ fail: 'crash' }).replaceAll('store', 'other').replaceAll('front', 'back'),
        },
        ...policy('Never'),
      },
      { name: 'later' },
    );
    await releases.until(stateIs('Failed'), 'later');
    const pinned = await releases.get();
    expect(pinned.status?.rollout).toEqual(open.status?.rollout);
    expect(await deployed()).toBe('crash');
  });

  test('a wave that fails while pinned is a failure, and nothing is rolled back', async () => {
    await releases.create({ source: { inline: version({}, GATE) }, ...policy('OnWaveFailure', '1m') });
    await releases.until(stateIs('Succeeded'));
    await releases.inline(version({ fail: 'crash' }, GATE));
    const back = await releases.until(stateIs('RolledBack'));
    const failed = back.status?.rollout?.renderRef ?? '';
    await pin({ renderRef: failed });
    const again = await releases.ready('RolloutFailed');
    expect(again.status?.rollout).toMatchObject({ state: 'Failed', renderRef: failed });
    expect(again.status?.rollout?.message).toContain('it is not rolled back, since it is pinned');
    expect(condition(again, 'Applied')).toMatchObject({ status: 'False', reason: 'RolloutFailed' });
    expect(await deployed()).toBe('crash');
    expect(again.metadata.name).toBe(NAME);
  });

  test('a pin ends a rollback, and without it the render that had failed starts anew', async () => {
    await releases.create({ source: { inline: version({}) }, ...policy('OnReleaseFailure') });
    await releases.until(stateIs('Succeeded'));
    await releases.inline(version({ fail: 'crash' }));
    const back = await releases.until(stateIs('RolledBack'));
    await pin({ history: 1 });
    await releases.ready('Pinned');
    await pin(null);
    const anew = await releases.until(stateIs('Progressing'));
    expect(anew.status?.rollout?.renderRef).toBe(back.status?.rollout?.renderRef);
    await releases.until(stateIs('RolledBack'));
    expect(await deployed()).toBeUndefined();
  });
});
