import { describe, expect, it } from 'vitest';
import { document, documents, reviewOf } from './support.ts';

const annotated = (name: string, annotations: Record<string, string>) =>
  document(
    name,
    Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`convoy.kumodo.io/${key}`, value])),
  );

/** Two waves, the second with a gate of this strategy. */
const waves = (annotations: Record<string, string>) => ({
  source: { inline: documents(document('a'), annotated('b', { 'sync-wave': '1', ...annotations })) },
});
const syncWave = (waveStrategy: object) => ({ mutations: [{ type: 'syncWave', waveStrategy }] });
const ofRelease = (waveStrategy: object) => ({ syncPolicy: { waveStrategy } });
const healthy = { healthAssessment: { deadline: '1m' } };

async function warningsOf(spec: object): Promise<string[]> {
  return (await reviewOf(spec)).warnings;
}

describe('no warning', () => {
  it.each([
    ['a gate with a health bar', { ...waves({ 'sync-strategy': 'waitForHealthy' }), ...healthy }],
    [
      'a timeout within the deadline',
      { ...waves({ 'sync-strategy': 'waitForHealthyWithTimeout', 'sync-timeout': '1m' }), ...healthy },
    ],
    [
      'a gate on the first wave',
      { source: { inline: annotated('a', { 'sync-strategy': 'waitForHealthy' }) } },
    ],
    ['a bounded wave of Releases', ofRelease({ strategy: 'waitForHealthyWithTimeout', timeout: '1m' })],
    ['a wave of Releases without gate', ofRelease({ wave: 2 })],
    [
      'a rollback that prunes',
      {
        ...healthy,
        failurePolicy: { rollback: 'OnWaveFailure' },
        syncPolicy: { prune: { orphaned: true } },
      },
    ],
    ['no rollback', { ...healthy, failurePolicy: { rollback: 'Never' } }],
  ])('for %s', async (_, spec) => {
    expect(await warningsOf(spec)).toEqual([]);
  });
});

describe('a warning', () => {
  const NO_WAVE_WAITS =
    'and without spec.healthAssessment no wave waits: set spec.healthAssessment, or use waitForApplied';

  it.each([
    [
      'a gate of objects without a health bar',
      waves({ 'sync-strategy': 'waitForHealthy' }),
      `wave 1 (ConfigMap b in apps) asks for waitForHealthy, ${NO_WAVE_WAITS}`,
    ],
    [
      'a gate of a mutation without a health bar',
      syncWave({ wave: 1, strategy: 'waitForHealthyWithTimeout' }),
      `spec.mutations[0].waveStrategy.strategy asks for waitForHealthyWithTimeout, ${NO_WAVE_WAITS}`,
    ],
    [
      'a gate of the default strategy without a health bar',
      { syncPolicy: { defaultStrategy: 'waitForHealthy' } },
      `spec.syncPolicy.defaultStrategy asks for waitForHealthy, ${NO_WAVE_WAITS}`,
    ],
    [
      'a deadline before the timeout of objects',
      { ...waves({ 'sync-strategy': 'waitForHealthyWithTimeout', 'sync-timeout': '90s' }), ...healthy },
      'spec.healthAssessment.deadline 1m is over before the timeout 1m30s of wave 1 (ConfigMap b in apps): make the deadline longer or the timeout shorter',
    ],
    [
      'a deadline before the timeout of a mutation',
      { ...syncWave({ wave: 1, strategy: 'waitForHealthyWithTimeout', timeout: '5m' }), ...healthy },
      'spec.healthAssessment.deadline 1m is over before the timeout 5m0s of spec.mutations[0].waveStrategy.strategy',
    ],
    [
      'a timeout of a wave of Releases that has no effect',
      ofRelease({ strategy: 'waitForApplied', timeout: '1m' }),
      'spec.syncPolicy.waveStrategy.timeout: 1m has no effect with waitForApplied: use waitForHealthyWithTimeout, or leave it out',
    ],
    [
      'a timeout without any strategy',
      ofRelease({ timeout: '1m' }),
      'spec.syncPolicy.waveStrategy.timeout: 1m has no effect with waitForApplied',
    ],
    [
      'a timeout of a mutation that has no effect',
      { ...syncWave({ wave: 1, strategy: 'waitForHealthy', timeout: '5m' }), ...healthy },
      'spec.mutations[0].waveStrategy.timeout: 5m has no effect with waitForHealthy',
    ],
    [
      'a sync-timeout of objects that has no effect',
      waves({ 'sync-timeout': '5m' }),
      'convoy.kumodo.io/sync-timeout of ConfigMap b in apps has no effect without sync-strategy waitForHealthyWithTimeout',
    ],
    [
      'a wave of Releases that waits without end',
      ofRelease({ wave: 1, strategy: 'waitForHealthy' }),
      'spec.syncPolicy.waveStrategy.strategy: waitForHealthy waits without end for Releases of lower waves: use waitForHealthyWithTimeout with a timeout',
    ],
    [
      'a wave of Releases without a timeout',
      ofRelease({ wave: 1, strategy: 'waitForHealthyWithTimeout' }),
      'waitForHealthyWithTimeout waits without end for Releases of lower waves: set spec.syncPolicy.waveStrategy.timeout',
    ],
    [
      'a rollback that leaves objects behind',
      { ...healthy, failurePolicy: { rollback: 'OnReleaseFailure' } },
      'spec.failurePolicy.rollback: after a rollback (OnReleaseFailure) the objects that only the failed render has stay',
    ],
  ])('for %s', async (_, spec, message) => {
    const warnings = await warningsOf(spec);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(message);
  });
});
