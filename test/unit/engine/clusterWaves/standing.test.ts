import { describe, expect, test } from 'vitest';
import type { Condition } from '../../../../api/release.ts';
import { standingOf } from '../../../../engine/clusterWaves/standing.ts';
import { CHANGED, CREATED, conditionOf, releaseOf } from './support.ts';

const WELL = ['Ready True AllHealthy', 'Applied True Applied', 'Healthy True AllHealthy'];

function conditions(texts: readonly string[], generation = 2): Condition[] {
  return texts.map((text) => conditionOf(text, generation));
}

function stands(found: Condition[] | undefined) {
  const { isApplied, isHealthy, why } =
    standingOf(releaseOf('a', found === undefined ? {} : { conditions: found })) ?? {};
  return [isApplied, isHealthy, why];
}

describe('how a Release stands for those after it (waves.md, axis B, 2)', () => {
  test.each([
    ['applied and healthy', conditions(WELL), [true, true, '']],
    ['no status', undefined, [false, false, 'no status']],
    [
      'applied, not healthy',
      conditions(['Ready False Progressing', 'Applied True Applied', 'Healthy False Progressing']),
      [true, false, 'Progressing'],
    ],
    [
      'rolled back: what was healthy is applied',
      conditions(['Ready True RolledBack', 'Applied True RolledBack', 'Healthy True AllHealthy']),
      [true, true, ''],
    ],
    [
      'held itself',
      conditions([
        'Ready False WaitingForClusterWave',
        'Applied False WaitingForClusterWave',
        'Healthy Unknown AssessmentUnknown',
      ]),
      [false, false, 'WaitingForClusterWave'],
    ],
    [
      'unknown health is not healthy',
      conditions(['Applied True Applied', 'Healthy Unknown AssessmentUnknown']),
      [true, false, 'AssessmentUnknown'],
    ],
    [
      'the status of an older generation counts for nothing',
      conditions(WELL, 1),
      [false, false, 'generation 2 is not applied'],
    ],
    [
      'a source that fails leaves what is applied as it is',
      conditions(['Ready False SourceFailed', 'Applied True Applied', 'Healthy True AllHealthy']),
      [true, true, 'SourceFailed'],
    ],
    [
      'a new generation whose source fails is not applied',
      [
        conditionOf('Ready False SourceFailed'),
        conditionOf('Applied True Applied', 1),
        conditionOf('Healthy True AllHealthy', 1),
      ],
      [false, false, 'SourceFailed'],
    ],
    [
      'a new generation that is applied and not assessed yet',
      [conditionOf('Applied True Applied'), conditionOf('Healthy True AllHealthy', 1)],
      [true, false, 'generation 2 is not applied'],
    ],
  ])('%s', (_, found, expected) => {
    expect(stands(found)).toEqual(expected);
  });

  test('1: one that is being deleted does not count', () => {
    expect(standingOf(releaseOf('a', { isGoing: true }))).toBeUndefined();
  });

  test('4: its clock is that of Applied', () => {
    const found = [conditionOf('Applied True Applied'), conditionOf('Healthy False Degraded', 2, CREATED)];
    expect(standingOf(releaseOf('a', { conditions: found }))?.changedAt).toBe(Date.parse(CHANGED));
  });

  test('4: without Applied it is that of its creation', () => {
    expect(standingOf(releaseOf('a'))?.changedAt).toBe(Date.parse(CREATED));
  });
});
