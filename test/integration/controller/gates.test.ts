import { expect, test } from 'vitest';
import type { Release } from '../../../api/release.ts';
import { readyMessage } from '../../support/releases.ts';
import { configMapIn, deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { condition, documents, useReleases } from './fixture.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';

const releases = useReleases();

const GATED = { strategy: 'waitForHealthy' } as const;
const ASSESSED = { healthAssessment: {} };
/** From the mend to the end of the wave behind it, on a busy machine. */
const PROMPT_MS = 1_000;

function shop(fate: Fate, timeout?: string): string {
  const gate = timeout === undefined ? GATED : { strategy: 'waitForHealthyWithTimeout' as const, timeout };
  return sourceOf(
    configMapIn({ wave: 0 }, 'settings'),
    deploymentIn({ wave: 1 }, 'store', fate),
    configMapIn({ wave: 2, ...gate }, 'front'),
  );
}

function waves({ status }: Release) {
  return (status?.waves ?? []).map(({ number, healthy }) => [number, healthy]);
}

test('a wave waits until the one before it is healthy, and says for what', async () => {
  await releases.create({ source: { inline: shop({ fail: 'crash' }) }, ...ASSESSED });
  const held = await releases.ready('WaitingForWaveHealth');
  expect(readyMessage(held)).toMatch(
    /^wave 2 waits for wave 1 to be healthy, without limit: apps\/Deployment store in \S+ \(Progressing/,
  );
  expect(condition(held, 'Applied')).toMatchObject({ status: 'False', reason: 'WaitingForWaveHealth' });
  expect(condition(held, 'Healthy')).toMatchObject({ status: 'False', reason: 'Progressing' });
  expect(waves(held)).toEqual([
    [0, true],
    [1, false],
  ]);
  expect(held.status?.lastSuccessful).toBeUndefined();
  expect(held.status?.lastHealthy).toBeUndefined();
  expect(await releases.find('configmaps/front')).toBeUndefined();
});

test('it goes on by itself when the wave before is mended', async () => {
  await releases.create({ source: { inline: shop({ fail: 'crash' }) }, ...ASSESSED });
  await releases.ready('WaitingForWaveHealth');
  await releases.inline(shop({}));
  const done = await releases.ready('Applied');
  expect(waves(done)).toEqual([
    [0, true],
    [1, true],
    [2, true],
  ]);
  expect(condition(done, 'Healthy')).toMatchObject({ status: 'True', reason: 'AllHealthy' });
  expect(done.status?.health).toEqual({ healthy: 3, progressing: 0, degraded: 0, unknown: 0 });
  expect(done.status?.lastHealthy?.renderRef).toBe(done.status?.lastAttempted?.renderRef);
});

test('the next wave follows within a second of the one before being healthy', async () => {
  await releases.create({ source: { inline: shop({ delay: '2s' }) }, ...ASSESSED });
  await releases.ready('WaitingForWaveHealth');
  const path = `/apis/apps/v1/namespaces/${releases.namespace}/deployments`;
  await releases.cluster.api.waitForNamed(path, 'store', (object) => {
    const { availableReplicas = 0 } = (object['status'] ?? {}) as { availableReplicas?: number };
    return availableReplicas > 0;
  });
  const healthyAt = performance.now();
  await releases.ready('Applied');
  expect(performance.now() - healthyAt).toBeLessThan(PROMPT_MS);
});

test('an edit of an applied field while a wave holds is put right', async () => {
  await releases.create({ source: { inline: shop({ fail: 'unready' }) }, ...ASSESSED });
  await releases.ready('WaitingForWaveHealth');
  await releases.patchConfigMap('settings', { data: { wave: 'edited' } });
  await releases.cluster.api.waitForNamed(
    `/api/v1/namespaces/${releases.namespace}/configmaps`,
    'settings',
    (object) => (object['data'] as { wave: string }).wave === '0',
  );
});

test('a wave that is not healthy in time fails, and the next one is not applied; it opens when it heals', async () => {
  await releases.create({ source: { inline: shop({ fail: 'unready' }, '2s') }, ...ASSESSED });
  const failed = await releases.ready('WaveFailed');
  expect(readyMessage(failed)).toMatch(
    /^wave 1 did not become healthy within 2s, so wave 2 is not applied: apps\/Deployment store/,
  );
  expect(failed.status?.lastAttempted?.failure).toMatchObject({ stage: 'Wave' });
  expect(await releases.find('configmaps/front')).toBeUndefined();
  await releases.inline(shop({}, '2s'));
  await releases.ready('Applied');
  expect(await releases.find('configmaps/front')).toBeDefined();
});

test('without healthAssessment no wave waits', async () => {
  await releases.create({ source: { inline: shop({ fail: 'crash' }) } });
  const done = await releases.ready('Applied');
  expect(condition(done, 'Healthy')).toMatchObject({ status: 'True', reason: 'NotAssessed' });
  expect(await releases.find('configmaps/front')).toBeDefined();
});

test('a claim that is bound only when a pod uses it does not hold the wave of that pod', async () => {
  const name = releases.namespace;
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'example.com/none',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data' },
    spec: {
      storageClassName: name,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  };
  const source = sourceOf(storageClass, claim, configMapIn({ wave: 1, ...GATED }, 'front'));
  await releases.create({ source: { inline: source }, ...ASSESSED });
  const done = await releases.ready('Applied');
  expect(waves(done)).toEqual([
    [0, true],
    [1, true],
  ]);
});

test('custom resources of a kind with conditions hold until their controller has set them', async () => {
  const group = `${releases.namespace}.example.com`;
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `boats.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Boat', plural: 'boats' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                status: {
                  type: 'object',
                  properties: {
                    conditions: {
                      type: 'array',
                      items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
  const boat = { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'ferry' } };
  const source = sourceOf(crd, boat, configMapIn({ wave: 1, ...GATED }, 'front'));
  await releases.create({ source: { inline: source }, ...ASSESSED });
  const held = await releases.ready('WaitingForWaveHealth');
  expect(readyMessage(held)).toContain('its controller has not set any condition yet');
  const path = `/apis/${group}/v1/namespaces/${releases.namespace}/boats/ferry/status`;
  await releases.cluster.api.must('PATCH', path, {
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  });
  await releases.ready('Applied');
});

test('without healthAssessment what could not be applied is not called healthy', async () => {
  const group = `${releases.namespace}.example.com`;
  const inline = documents(boatCrdYaml(group), boatYaml(group, 'ferry', '{masts: many}'));
  await releases.create({ source: { inline } });
  const failed = await releases.ready('ApplyFailed');
  expect(condition(failed, 'Healthy')).toMatchObject({ status: 'Unknown', reason: 'AssessmentUnknown' });
});

/** Late in its wave: it waits for the health of what stands there. */
function policyOf(name: string): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name, annotations: { 'convoy.kumodo.io/sync-wave': '1' } },
    spec: {
      failurePolicy: 'Ignore',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['none.example.com'],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['none'],
          },
        ],
      },
      validations: [{ expression: 'true' }],
    },
  };
}

test('a wave that is not healthy in time fails although objects of it wait for that health too', async () => {
  const bounded = { strategy: 'waitForHealthyWithTimeout', timeout: '3s' } as const;
  const source = sourceOf(
    configMapIn({ wave: 0 }, 'settings'),
    deploymentIn({ wave: 1, ...GATED }, 'store', { fail: 'unready' }),
    policyOf(releases.namespace),
    configMapIn({ wave: 2, ...bounded }, 'front'),
  );
  await releases.create({ source: { inline: source }, ...ASSESSED });
  await releases.ready('WaitingForStage');
  const failed = await releases.ready('WaveFailed');
  expect(readyMessage(failed)).toMatch(/^wave 1 did not become healthy within 3s, so wave 2 is not applied/);
});

test('a wave that is not healthy in time fails although a purge waits for that health too', async () => {
  const bounded = { strategy: 'waitForHealthyWithTimeout', timeout: '3s' } as const;
  const purged = configMapIn({ wave: 1 }, 'purged') as { metadata: { annotations: Record<string, string> } };
  purged.metadata.annotations['convoy.kumodo.io/purge-order'] = '1';
  const source = sourceOf(
    deploymentIn({ wave: 1 }, 'store', { fail: 'unready' }),
    purged,
    configMapIn({ wave: 2, ...bounded }, 'front'),
  );
  await releases.create({ source: { inline: source }, ...ASSESSED });
  await releases.ready('WaveFailed');
  expect(await releases.find('configmaps/purged')).toBeDefined();
});
