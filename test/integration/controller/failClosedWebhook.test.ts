import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { conditionOf } from '../../controlplane/conditions.ts';
import { configMapYaml } from '../../support/releases.ts';
import { ServiceWebhook } from '../../support/serviceWebhook.ts';
import { deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const ADMISSION = 'admissionregistration.k8s.io/v1';
const KINDS = [
  ['ValidatingWebhookConfiguration', `/apis/${ADMISSION}/validatingwebhookconfigurations`],
  ['MutatingWebhookConfiguration', `/apis/${ADMISSION}/mutatingwebhookconfigurations`],
] as const;
const PRUNE = { prune: { orphaned: true } };

let webhook: ServiceWebhook;
beforeEach(async () => {
  webhook = await ServiceWebhook.start(`guard.${releases.namespace}.svc`);
});
afterEach(() => webhook.stop());

/** A webhook that is asked about everything of its own namespace, its backend included, and what answers for it. */
function guarded(kind: string, delay: string): string {
  const { spec, ...rest } = deploymentIn({ wave: 0 }, 'guard', { delay }) as {
    spec: { template: { metadata: { annotations: object } } };
  };
  const { metadata } = spec.template;
  metadata.annotations = { ...metadata.annotations, 'convoy.kumodo.io/test-pod-ip': webhook.address };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'guard' },
    spec: { selector: { app: 'guard' }, ports: [{ port: 443, targetPort: webhook.port }] },
  };
  const configuration = {
    apiVersion: ADMISSION,
    kind,
    metadata: { name: releases.namespace },
    webhooks: [
      {
        name: 'guard.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        timeoutSeconds: 5,
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': releases.namespace } },
        rules: [
          {
            apiGroups: ['', 'apps'],
            apiVersions: ['*'],
            operations: ['CREATE', 'UPDATE', 'DELETE'],
            resources: ['configmaps', 'deployments', 'pods', 'replicasets', 'services'],
          },
        ],
        clientConfig: {
          service: { name: 'guard', namespace: releases.namespace },
          caBundle: webhook.caBundle,
        },
      },
    ],
  };
  return documents(sourceOf(service, { ...rest, spec }, configuration), configMapYaml('web'));
}

async function probe(name: string): Promise<string> {
  const path = `/api/v1/namespaces/${releases.namespace}/configmaps?dryRun=All`;
  const { body } = await releases.cluster.api.request('POST', path, { metadata: { name } });
  return JSON.stringify(body);
}

/** The API server takes a webhook into use some time after its configuration is stored, and only asking tells when. */
async function inUse(): Promise<void> {
  while (!(await probe('bad')).includes('the guard refuses it'));
}

/** When a Deployment became available, in milliseconds. */
function availableSince(deployment: ApiObject | undefined): number {
  const available = conditionOf(deployment ?? {}, 'Available');
  return Date.parse(available?.status === 'True' ? (available.lastTransitionTime ?? '') : '');
}

async function standing(kind: string, delay = '0s'): Promise<void> {
  const source = { inline: documents(guarded(kind, delay), configMapYaml('keep')) };
  await releases.create({ source, syncPolicy: PRUNE });
  await releases.ready('Applied');
  await inUse();
}

/** No request of Convoy met a webhook that nobody answered for. */
async function expectNeverBlocked(): Promise<void> {
  const path = `/apis/events.k8s.io/v1/namespaces/${releases.namespace}/events`;
  const { items } = (await releases.cluster.api.must('GET', path)) as unknown as { items: ApiObject[] };
  expect(items.filter(({ note }) => String(note).includes('failed calling webhook'))).toEqual([]);
}

describe.each(KINDS)('a fail-closed %s and its backend in one wave', (kind, collection) => {
  test('the configuration comes when the backend answers, and everything is applied', async () => {
    await standing(kind, '3s');
    const made = (await releases.findAt(`${collection}/${releases.namespace}`))?.metadata.creationTimestamp;
    const since = availableSince(await releases.find('deployments/guard', '/apis/apps/v1'));
    // Both are whole seconds, and an endpoint is ready a moment before its Deployment is available.
    expect(Date.parse(String(made))).toBeGreaterThanOrEqual(since - 1_000);
    expect(await probe('good')).not.toContain('failed calling webhook');
    // What it is asked about from here on, it answers.
    await releases.inline(documents(guarded(kind, '3s'), configMapYaml('keep', { key: 'new' })));
    await releases.ready('Applied');
    await expectNeverBlocked();
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
  });

  test('the configuration goes first when the Release is deleted: nothing is blocked by it', async () => {
    await standing(kind);
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
    expect(await releases.findAt(`${collection}/${releases.namespace}`)).toBeUndefined();
    expect(await releases.find('deployments/guard', '/apis/apps/v1')).toBeUndefined();
    expect(await releases.find('configmaps/web')).toBeUndefined();
    await expectNeverBlocked();
  });

  test('it goes first where both leave the source', async () => {
    await standing(kind);
    await releases.inline(configMapYaml('keep'));
    await releases.ready('Applied');
    expect(await releases.findAt(`${collection}/${releases.namespace}`)).toBeUndefined();
    for (const path of ['configmaps/web', 'services/guard'])
      expect(await releases.find(path)).toBeUndefined();
    await expectNeverBlocked();
  });

  test('a backend that goes first blocks what is left, as deletions by hand show', async () => {
    await standing(kind);
    await releases.patch({ spec: { suspend: true } });
    await releases.ready('Suspended');
    await releases.cluster.api.must('DELETE', `/api/v1/namespaces/${releases.namespace}/services/guard`);
    const path = `/api/v1/namespaces/${releases.namespace}/configmaps/web?dryRun=All`;
    let answer = '';
    // The API server learns of it by a watch.
    while (!answer.includes('failed calling webhook'))
      answer = JSON.stringify((await releases.cluster.api.request('DELETE', path)).body);
    // The Release goes all the same, since it begins with the configuration.
    await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
    expect(await releases.find('configmaps/web')).toBeUndefined();
  });
});
