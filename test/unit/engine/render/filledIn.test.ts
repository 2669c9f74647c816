import { expect, test } from 'vitest';
import type { KubeObject } from '../../../../api/object.ts';
import { leaveToOthers } from '../../../../engine/render/filledIn.ts';

const object = (apiVersion: string, kind: string, fields: object): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'web' },
  ...fields,
});

const RBAC = 'rbac.authorization.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const aggregationRule = { clusterRoleSelectors: [] };
const webhooks = (...bundles: unknown[]): object => ({
  webhooks: bundles.map((caBundle) => ({ name: 'a', clientConfig: { url: 'https://a', caBundle } })),
});
const withoutBundle = { webhooks: [{ name: 'a', clientConfig: { url: 'https://a' } }] };
const conversion = (clientConfig: object): object => ({
  spec: { conversion: { webhook: { clientConfig } } },
});

test.each<[string, KubeObject, object]>([
  [
    'rules of an aggregated ClusterRole',
    object(RBAC, 'ClusterRole', { aggregationRule, rules }),
    { aggregationRule },
  ],
  [
    'an empty caBundle of a webhook',
    object(ADMISSION, 'MutatingWebhookConfiguration', webhooks('')),
    withoutBundle,
  ],
  [
    'a line break for a caBundle',
    object(ADMISSION, 'ValidatingWebhookConfiguration', webhooks('Cg==')),
    withoutBundle,
  ],
  [
    'null for one',
    object('apiregistration.k8s.io/v1', 'APIService', { spec: { caBundle: null } }),
    { spec: {} },
  ],
  [
    'one of a conversion',
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', conversion({ caBundle: '' })),
    conversion({}),
  ],
])('%s is left to others', (_, given, left) => {
  leaveToOthers(given);
  const { apiVersion, kind, metadata } = given;
  expect(given).toEqual({ apiVersion, kind, metadata, ...left });
});

test.each<[string, KubeObject]>([
  ['rules of another ClusterRole', object(RBAC, 'ClusterRole', { rules })],
  ['rules of a Role', object(RBAC, 'Role', { aggregationRule, rules })],
  ['certificates', object(ADMISSION, 'ValidatingWebhookConfiguration', webhooks('LS0tLS1CRUdJTg=='))],
  ['webhooks that are none', object(ADMISSION, 'ValidatingWebhookConfiguration', { webhooks: 'none' })],
  ['a caBundle of any other kind', object('example.org/v1', 'Boat', { spec: { caBundle: '' } })],
])('%s stay', (_, given) => {
  const before = structuredClone(given);
  leaveToOthers(given);
  expect(given).toEqual(before);
});
