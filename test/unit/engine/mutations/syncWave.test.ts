import { expect, test } from 'vitest';
import type { Mutation } from '../../../../api/release.ts';
import { syncWaveAnnotations } from '../../../../engine/mutations/syncWave.ts';
import { deployment } from './support.ts';

const WAVE = 'convoy.kumodo.io/sync-wave';
const STRATEGY = 'convoy.kumodo.io/sync-strategy';
const TIMEOUT = 'convoy.kumodo.io/sync-timeout';

const wave = (number: number, rest: Partial<Mutation> = {}, timeout?: string): Mutation => ({
  type: 'syncWave',
  waveStrategy: {
    wave: number,
    strategy: 'waitForHealthy',
    ...(timeout === undefined ? {} : { timeout }),
  },
  ...rest,
});

test('wave and strategy are written, the timeout where one is given', () => {
  expect(syncWaveAnnotations(deployment(), [wave(-7)])).toEqual({
    [WAVE]: '-7',
    [STRATEGY]: 'waitForHealthy',
  });
  expect(syncWaveAnnotations(deployment(), [wave(1, {}, '90s')])).toEqual({
    [WAVE]: '1',
    [STRATEGY]: 'waitForHealthy',
    [TIMEOUT]: '90s',
  });
});

test('an object that none targets gets nothing', () => {
  expect(syncWaveAnnotations(deployment(), [wave(1, { target: { name: 'other' } })])).toEqual({});
  expect(syncWaveAnnotations(deployment(), [])).toEqual({});
});

test('later ones win, and a timeout of an earlier one stays', () => {
  expect(syncWaveAnnotations(deployment(), [wave(1, {}, '90s'), wave(2)])).toEqual({
    [WAVE]: '2',
    [STRATEGY]: 'waitForHealthy',
    [TIMEOUT]: '90s',
  });
});

test('each sees what those before it wrote', () => {
  const target = { annotationSelector: { matchLabels: { [WAVE]: '1' } } };
  expect(syncWaveAnnotations(deployment(), [wave(1), wave(2, { target })])[WAVE]).toBe('2');
});

test('mutations of other types count for nothing', () => {
  const others: Mutation[] = [
    { type: 'annotations', annotations: { [WAVE]: '9' } },
    { type: 'labels', labels: { tier: 'other' } },
  ];
  expect(syncWaveAnnotations(deployment(), others)).toEqual({});
});

test('the object stays as it is', () => {
  const object = deployment();
  syncWaveAnnotations(object, [wave(1)]);
  expect(object).toEqual(deployment());
});
