import { describe, expect, test } from 'vitest';
import { planOf } from '../../../../engine/plan/plan.ts';
import { awaitedBy, isStaged } from '../../../../engine/waves/stages.ts';
import { sketch } from '../plan/support.ts';

const APP = sketch({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'app' });
const ACCOUNT = sketch({ kind: 'ServiceAccount', namespace: 'shop', name: 'account' });
const HOOK = sketch({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  name: 'hook',
});
const CRD = sketch({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  name: 'boats.example.com',
  spec: { group: 'example.com', names: { kind: 'Boat', plural: 'boats' }, scope: 'Namespaced', versions: [] },
});
const BOAT = sketch({ group: 'example.com', kind: 'Boat', namespace: 'shop', name: 'boat' });

function waveOf(...objects: Parameters<typeof planOf>[0]) {
  const [wave] = planOf(objects).waves;
  if (wave === undefined) throw new Error('the plan has a wave');
  return wave;
}

describe('stages that wait for health (waves.md, "In a wave")', () => {
  const wave = waveOf(APP, ACCOUNT, HOOK, CRD, BOAT);
  const names = (stage: Parameters<typeof awaitedBy>[0]) => awaitedBy(stage, wave).map(({ key }) => key.name);

  test('late objects wait for the regular ones', () => {
    expect(names('Late')).toEqual(['app']);
  });

  test('instances wait for all others of the wave', () => {
    expect(names('Instances')).toEqual(['boats.example.com', 'account', 'app', 'hook']);
  });

  test.each(['Namespaces', 'Types', 'Prerequisites', 'Regular'] as const)('%s wait for nobody', (stage) => {
    expect(names(stage)).toEqual([]);
  });
});

describe('a wave whose stages wait', () => {
  const gated = sketch({
    kind: 'ConfigMap',
    namespace: 'shop',
    annotations: { 'sync-strategy': 'waitForHealthy' },
  });

  test('is one that has a gate', () => {
    expect(isStaged(waveOf(APP, gated), 'waitForApplied')).toBe(true);
  });

  test('is any where waitForHealthy is the default', () => {
    expect(isStaged(waveOf(APP), 'waitForHealthy')).toBe(true);
  });

  test('is no other', () => {
    expect(isStaged(waveOf(APP), 'waitForApplied')).toBe(false);
  });
});
