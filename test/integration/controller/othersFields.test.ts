import { crdOf } from '../../support/crd.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiObject } from '../../controlplane/apiAccess.ts';
import { deploymentIn, sourceOf } from '../../support/wavedObjects.ts';
import { NAME, useAuditedReleases } from './fixture.ts';
import { writesOfReconcile } from './quietReconcile.ts';

const { releases, plane } = useAuditedReleases({ kwok: true });

const versionOf = (object: ApiObject | undefined): string | undefined => object?.metadata.resourceVersion;

// Cluster-scoped objects do not go with the namespace.
afterEach(async () => {
  await releases.cluster.kubectl('delete', 'release', NAME, '-n', releases.namespace, '--timeout=40s');
});

async function applied(...objects: object[]): Promise<void> {
  await releases.create({ source: { inline: sourceOf(...objects) } });
  await releases.ready('Applied');
}

describe('quantities that the API server writes otherwise', () => {
  const deployment = (cpu: string, memory: string): object => {
    const { spec, ...rest } = deploymentIn({ wave: 0 }, 'web', {}, 0) as {
      spec: { template: { spec: { containers: object[] } } };
    };
    const [container = {}] = spec.template.spec.containers;
    const resources = { requests: { cpu, memory }, limits: { cpu, memory } };
    const template = { ...spec.template, spec: { containers: [{ ...container, resources }] } };
    return { ...rest, spec: { ...spec, template } };
  };
  const quota = (cpu: string): object => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'web' },
    spec: { hard: { 'limits.cpu': cpu, pods: '1k' } },
  });
  const limits = (cpu: string): object => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'web' },
    spec: { limits: [{ type: 'Container', max: { cpu, memory: '2048Mi' } }] },
  });
  const claim = (storage: string): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'web' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  const autoscaler = (averageValue: string): object => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Pods', pods: { metric: { name: 'load' }, target: { type: 'AverageValue', averageValue } } },
      ],
    },
  });
  const QUANTITY = {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    pattern: '^[0-9.]+[a-zA-Z]*$',
    'x-kubernetes-int-or-string': true,
  };
  const quantities = { type: 'object', additionalProperties: QUANTITY };
  const spec = { type: 'object', properties: { load: QUANTITY, limits: quantities } };
  const boatCrd = (group: string): object =>
    crdOf({ group, kind: 'Boat', schema: { type: 'object', properties: { spec } } });
  const boat = (group: string): object => ({
    apiVersion: `${group}/v1`,
    kind: 'Boat',
    metadata: { name: 'ferry' },
    spec: { load: '1000m', limits: { crew: '0.5', cargo: 2, fuel: '1024Mi' } },
  });

  const LIVE: readonly [path: string, api?: string][] = [
    ['deployments/web', '/apis/apps/v1'],
    ['resourcequotas/web'],
    ['limitranges/web'],
    ['persistentvolumeclaims/web'],
    ['horizontalpodautoscalers/web', '/apis/autoscaling/v2'],
  ];
  const generationsAndSpecs = async (): Promise<unknown[]> => {
    const live = await Promise.all(LIVE.map(([path, api]) => releases.find(path, api)));
    return live.map((object) => [object?.metadata['generation'], object?.['spec']]);
  };

  test('are no drift, in built-in kinds and in custom resources: a second reconcile writes nothing', async () => {
    const group = `${releases.namespace}.convoy.kumodo.io`;
    await applied(
      ...[deployment('1000m', '1024Mi'), quota('1000m'), limits('0.1'), claim('1024Mi'), autoscaler('0.5')],
      ...[boatCrd(group), boat(group)],
    );
    const before = await generationsAndSpecs();
    expect(JSON.stringify(before)).toContain('"cpu":"1"');
    expect(JSON.stringify(before)).toContain('"cpu":"100m"');
    const ferry = await releases.find('boats/ferry', `/apis/${group}/v1`);

    expect(await writesOfReconcile(releases, plane())).toEqual([]);
    // Sent again, they change nothing either.
    await releases.sync();
    expect(await generationsAndSpecs()).toEqual(before);
    expect(versionOf(await releases.find('boats/ferry', `/apis/${group}/v1`))).toBe(versionOf(ferry));
    expect(ferry?.['spec']).toEqual({ load: '1000m', limits: { crew: '0.5', cargo: 2, fuel: '1024Mi' } });
  });

  test('that a new render writes otherwise change nothing: no pod is started anew', async () => {
    await applied(
      deployment('1000m', '1024Mi'),
      quota('1000m'),
      limits('0.1'),
      claim('1024Mi'),
      autoscaler('0.5'),
    );
    const before = await generationsAndSpecs();
    await releases.inline(
      sourceOf(deployment('1', '1Gi'), quota('1'), limits('100m'), claim('1Gi'), autoscaler('500m')),
    );
    await releases.ready('Applied');
    expect(await generationsAndSpecs()).toEqual(before);
  });
});

describe('what others fill in', () => {
  const ADMISSION = 'admissionregistration.k8s.io';
  const client = (caBundle?: string): object => ({
    url: 'https://127.0.0.1:9/x',
    ...(caBundle === undefined ? {} : { caBundle }),
  });
  const rules = [
    { apiGroups: ['none.example.org'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['boats'] },
  ];
  const webhooks = (caBundle?: string): object => ({
    webhooks: [
      {
        name: 'boats.example.org',
        clientConfig: client(caBundle),
        rules,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  const apiService = (caBundle?: string): object => ({
    spec: {
      group: `${releases.namespace}.example.org`,
      version: 'v1',
      service: { name: 'away', namespace: releases.namespace },
      groupPriorityMinimum: 100,
      versionPriority: 100,
      ...(caBundle === undefined ? {} : { caBundle }),
    },
  });
  const converted = (caBundle?: string): object => {
    const group = `${releases.namespace}.example.org`;
    const schema = { openAPIV3Schema: { type: 'object' } };
    return {
      spec: {
        group,
        names: { kind: 'Boat', plural: 'boats' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: client(caBundle), conversionReviewVersions: ['v1'] },
        },
      },
    };
  };

  interface Injected {
    apiVersion: string;
    kind: string;
    plural: string;
    name: () => string;
    /** With what the source says of the certificates, if anything. */
    fields: (caBundle?: string) => object;
  }
  const byNamespace = (): string => `${releases.namespace}-hook`;
  const KINDS: readonly Injected[] = [
    {
      apiVersion: `${ADMISSION}/v1`,
      kind: 'ValidatingWebhookConfiguration',
      plural: 'validatingwebhookconfigurations',
      name: byNamespace,
      fields: webhooks,
    },
    {
      apiVersion: `${ADMISSION}/v1`,
      kind: 'MutatingWebhookConfiguration',
      plural: 'mutatingwebhookconfigurations',
      name: byNamespace,
      fields: webhooks,
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      plural: 'apiservices',
      name: () => `v1.${releases.namespace}.example.org`,
      fields: apiService,
    },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      name: () => `boats.${releases.namespace}.example.org`,
      fields: converted,
    },
  ];

  /** Certificates that are some. */
  async function certificates(): Promise<string> {
    const ca = await releases.findAt('/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt');
    return Buffer.from((ca?.['data'] as Record<string, string> | undefined)?.['ca.crt'] ?? '').toString(
      'base64',
    );
  }

  test.each(
    KINDS.flatMap((kind) => [undefined, '', 'Cg=='].map((placeholder) => ({ ...kind, placeholder }))),
  )(
    'a CA injector’s caBundle of a $kind is kept where the source has $placeholder, and is no drift',
    async ({ apiVersion, kind, plural, name, fields, placeholder }) => {
      await applied({ apiVersion, kind, metadata: { name: name() }, ...fields(placeholder) });
      const caBundle = await certificates();
      const path = `/apis/${apiVersion}/${plural}/${name()}`;
      await releases.cluster.api.must('PATCH', `${path}?fieldManager=cainjector`, fields(caBundle));
      expect(await writesOfReconcile(releases, plane())).toEqual([]);
      await releases.sync();
      const after = await releases.findAt(path);
      expect(JSON.stringify(after)).toContain(`"caBundle":"${caBundle}"`);
    },
  );

  test.each([
    ['no rules', {}],
    ['rules: []', { rules: [] }],
    ['rules of its own', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] }],
  ])(
    'the rules of an aggregated ClusterRole are kept where the source has %s, and are no drift',
    async (_, own) => {
      const rbac = 'rbac.authorization.k8s.io';
      const [whole, part] = [`${releases.namespace}-whole`, `${releases.namespace}-part`];
      const label = { [`example.org/${releases.namespace}`]: 'true' };
      const role = { apiVersion: `${rbac}/v1`, kind: 'ClusterRole' };
      const aggregated = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }];
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: label }] };
      await applied(
        { ...role, metadata: { name: whole }, aggregationRule, ...own },
        { ...role, metadata: { name: part, labels: label }, rules: aggregated },
      );
      const collection = `/apis/${rbac}/v1/clusterroles`;
      const filled = await releases.cluster.api.waitForNamed(collection, whole, ({ rules: found }) =>
        JSON.stringify(found ?? []).includes('configmaps'),
      );
      expect(await writesOfReconcile(releases, plane())).toEqual([]);
      await releases.sync();
      const after = await releases.findAt(`${collection}/${whole}`);
      expect(after?.['rules']).toEqual(aggregated);
      expect(versionOf(after)).toBe(versionOf(filled));
    },
  );

  test('replicas that an autoscaler sets, and the render does not, are never reset', async () => {
    const { spec, ...rest } = deploymentIn({ wave: 0 }, 'web') as { spec: Record<string, unknown> };
    delete spec['replicas'];
    const autoscaler = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: {
        minReplicas: 2,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      },
    };
    await releases.create({
      source: { inline: sourceOf({ ...rest, spec }, autoscaler) },
      healthAssessment: { deadline: '5m' },
    });
    const deployments = `/apis/apps/v1/namespaces/${releases.namespace}/deployments`;
    await releases.cluster.api.waitForNamed(
      deployments,
      'web',
      (object) => (object['status'] as { readyReplicas?: number } | undefined)?.readyReplicas === 2,
    );
    // Health is told meanwhile; the Deployment is nobody's to write.
    const writes = await writesOfReconcile(releases, plane());
    expect(writes.filter((write) => /deployments|horizontalpodautoscalers/.test(write))).toEqual([]);
    await releases.sync();
    await releases.inline(sourceOf({ ...rest, spec: { ...spec, revisionHistoryLimit: 5 } }, autoscaler));
    await releases.until(({ status }) => status?.history?.length === 2);
    const live = await releases.find('deployments/web', '/apis/apps/v1');
    expect(live?.['spec']).toMatchObject({ replicas: 2, revisionHistoryLimit: 5 });
  });
});
