import { expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { conditionOf } from '../../controlplane/conditions.ts';
import { readyMessage } from '../../support/releases.ts';
import { deploymentIn, type Fate, sourceOf } from '../../support/wavedObjects.ts';
import { boatCrdYaml, boatYaml } from './objects.ts';
import { condition, documents, useReleases } from './fixture.ts';

const releases = useReleases();

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

function service(): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'guard' },
    spec: { selector: { app: 'guard' }, ports: [{ port: 443 }] },
  };
}

/** A webhook configuration that the Deployment `guard` answers for; it matches no object. */
function configuration(timeout = '30s'): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: releases.namespace, annotations: { 'convoy.kumodo.io/sync-timeout': timeout } },
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        objectSelector: { matchLabels: { guarded: releases.namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        clientConfig: { service: { name: 'guard', namespace: releases.namespace } },
      },
    ],
  };
}

const guarded = (fate: Fate, timeout?: string): string =>
  sourceOf(service(), deploymentIn({ wave: 0 }, 'guard', fate), configuration(timeout));

/** When a Deployment became available, in milliseconds. */
function availableSince(deployment: ApiObject | undefined): number {
  const available = conditionOf(deployment ?? {}, 'Available');
  return Date.parse(available?.status === 'True' ? (available.lastTransitionTime ?? '') : '');
}

test('a webhook configuration is applied when its Service has a ready endpoint, and not before', async () => {
  await releases.create({ source: { inline: guarded({ delay: '3s' }) } });
  await releases.ready('Applied');
  const made = (await releases.findAt(`${CONFIGURATIONS}/${releases.namespace}`))?.metadata.creationTimestamp;
  const since = availableSince(await releases.find('deployments/guard', '/apis/apps/v1'));
  // Both are whole seconds, and an endpoint is ready a moment before its Deployment is available.
  expect(Date.parse(String(made))).toBeGreaterThanOrEqual(since - 1_000);
});

test('one whose Service never answers is applied when its time is over, and an event warns of it', async () => {
  await releases.create({ source: { inline: guarded({ fail: 'unready' }, '2s') } });
  const done = await releases.ready('Applied');
  const event = await releases.event('Warning', 'BackendNotReady', releases.namespace);
  expect(event['note']).toContain('Service guard in');
  const [wave] = done.status?.waves ?? [];
  expect(Date.parse(wave?.completedAt ?? '') - Date.parse(wave?.startedAt ?? '')).toBeGreaterThanOrEqual(
    2_000,
  );
});

test('later reconciles do not wait for it again', async () => {
  await releases.create({ source: { inline: guarded({}) } });
  await releases.ready('Applied');
  const path = `/apis/apps/v1/namespaces/${releases.namespace}/deployments/guard`;
  await releases.cluster.api.must('PATCH', `${path}/scale`, { spec: { replicas: 0 } });
  await releases.cluster.api.must('DELETE', `${CONFIGURATIONS}/${releases.namespace}`);
  await releases.cluster.api.waitForNamed(CONFIGURATIONS, releases.namespace, () => true);
});

test('in a gated wave, instances wait until all other objects of the wave are healthy', async () => {
  const group = `${releases.namespace}.example.com`;
  const source = documents(
    boatCrdYaml(group),
    boatYaml(group, 'ferry'),
    sourceOf(deploymentIn({ wave: 0 }, 'yard', { delay: '3s' })),
  );
  await releases.create({
    source: { inline: source },
    healthAssessment: {},
    syncPolicy: { defaultStrategy: 'waitForHealthy' },
  });
  const held = await releases.ready('WaitingForStage');
  expect(readyMessage(held)).toMatch(
    /^wave 0: 1 object waits: .*apps\/Deployment yard in \S+ \(Progressing: /,
  );
  expect(held.status?.waves).toMatchObject([{ number: 0, resources: 3, applied: 2, healthy: false }]);
  expect(held.status?.waves?.[0]?.completedAt).toBeUndefined();
  const done = await releases.ready('Applied');
  expect(condition(done, 'Healthy')).toMatchObject({ status: 'True' });
  expect(done.status?.waves?.[0]?.startedAt).toBe(held.status?.waves?.[0]?.startedAt);
});
