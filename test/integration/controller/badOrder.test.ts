import { describe, expect, test } from 'vitest';
import { configMapYaml, createRelease } from '../../support/releases.ts';
import { type BadInput, expectNothingApplied, expectRefused, withGood } from './badInput.ts';
import { documents, NAME, useReleases } from './fixture.ts';

const releases = useReleases();

const GROUP = 'order.test.convoy.kumodo.io';
const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.${GROUP}, annotations: {convoy.kumodo.io/sync-wave: "2"}}
spec:
  group: ${GROUP}
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;
const INSTANCE = `
apiVersion: ${GROUP}/v1
kind: Boat
metadata: {name: titanic, annotations: {convoy.kumodo.io/sync-wave: "1"}}
`;
const LATE_NAMESPACE = `
apiVersion: v1
kind: Namespace
metadata: {name: order-test-late, annotations: {convoy.kumodo.io/sync-wave: "1"}}
`;
const NAMESPACE_GONE_FIRST = `
apiVersion: v1
kind: Namespace
metadata: {name: order-test-gone}
`;

const CASES: readonly BadInput[] = [
  {
    name: 'a CRD in a later wave than its instance',
    inline: documents(CRD, INSTANCE),
    reason: 'OrderInvalid',
    stage: 'Order',
    says: [
      `${GROUP}/Boat titanic in NS (wave 1)`,
      `CustomResourceDefinition boats.${GROUP} (wave 2)`,
      'give it sync-wave 2 or higher',
    ],
  },
  {
    name: 'a Namespace in a later wave than its content',
    inline: documents(LATE_NAMESPACE, configMapYaml('web, namespace: order-test-late')),
    reason: 'OrderInvalid',
    stage: 'Order',
    says: ['ConfigMap web in order-test-late (wave 0)', 'Namespace order-test-late (wave 1)'],
  },
  {
    name: 'a Namespace that goes before its content',
    inline: documents(
      NAMESPACE_GONE_FIRST,
      configMapYaml('web, namespace: order-test-gone, annotations: {convoy.kumodo.io/delete-order: "3"}'),
    ),
    reason: 'OrderInvalid',
    stage: 'Order',
    says: ['ConfigMap web in order-test-gone (delete-order 3)', 'Namespace order-test-gone (delete-order 0)'],
  },
];

describe('a Release whose source gets', () => {
  test.each(CASES)('$name says so, changes nothing, and heals when it is mended', async (bad) => {
    await expectRefused(releases, bad);
    expect(await releases.findAt('/api/v1/namespaces/order-test-late')).toBeUndefined();
    expect(await releases.findAt('/api/v1/namespaces/order-test-gone')).toBeUndefined();
  });
});

test('a new Release with a CRD in a later wave than its instance applies nothing', async () => {
  const inline = withGood(documents(CRD, INSTANCE));
  await expectNothingApplied(releases, { source: { inline } }, 'OrderInvalid');
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boats.${GROUP}`;
  expect(await releases.findAt(path)).toBeUndefined();
});

test('an order that is no number is no error: the default holds, and an event says so', async () => {
  await releases.create({
    source: { inline: configMapYaml('web, annotations: {convoy.kumodo.io/sync-wave: first}') },
  });
  const release = await releases.ready('Applied');
  expect(release.status?.waves).toMatchObject([{ number: 0, resources: 1 }]);
  await releases.event(
    'Warning',
    'RenderWarning',
    'convoy.kumodo.io/sync-wave is "first": the default 0 is used',
  );
});

test('rollback without a deadline is refused by the API server, which says what to set', async () => {
  const created = createRelease(releases.cluster.api, {
    namespace: releases.namespace,
    name: NAME,
    spec: { source: { inline: configMapYaml('web') }, failurePolicy: { rollback: 'OnWaveFailure' } },
  });
  await expect(created).rejects.toThrow(
    /failurePolicy.rollback other than Never needs healthAssessment.deadline: set/,
  );
  expect(await releases.find(`releases/${NAME}`, '/apis/core.convoy.kumodo.io/v1alpha1')).toBeUndefined();
});
