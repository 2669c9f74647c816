import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StageName } from '../../../../api/inventory.ts';
import { keyOf, keyString, type KubeObject } from '../../../../api/object.ts';
import { orderProblems } from '../../../../engine/plan/order.ts';
import { type Plan, planOf } from '../../../../engine/plan/plan.ts';
import { STAGE_ORDER } from '../../../../engine/plan/stage.ts';
import { apiService, consistentRender, definition, sketch } from './support.ts';

const placed = (plan: Plan) => plan.waves.flatMap((wave) => wave.stages.flatMap((stage) => stage.objects));
const shape = (objects: KubeObject[]) =>
  planOf(objects).waves.map(({ number, stages }) => [
    number,
    ...stages.map(({ name, objects: inStage }) => `${name}: ${inStage.map(({ key }) => key.kind).join(' ')}`),
  ]);

test('every stage that an inventory can record has its place', () => {
  const recorded: Record<StageName, true> = {
    Namespaces: true,
    Types: true,
    Prerequisites: true,
    Regular: true,
    Late: true,
    Instances: true,
  };
  expect(STAGE_ORDER).toEqual(Object.keys(recorded));
});

const KINDS: readonly (readonly [group: string, kind: string, stage: string])[] = [
  ['', 'Namespace', 'Namespaces'],
  ['apiextensions.k8s.io', 'CustomResourceDefinition', 'Types'],
  ['scheduling.k8s.io', 'PriorityClass', 'Types'],
  ['storage.k8s.io', 'StorageClass', 'Types'],
  ['networking.k8s.io', 'IngressClass', 'Types'],
  ['node.k8s.io', 'RuntimeClass', 'Types'],
  ['', 'ServiceAccount', 'Prerequisites'],
  ['rbac.authorization.k8s.io', 'ClusterRole', 'Prerequisites'],
  ['rbac.authorization.k8s.io', 'ClusterRoleBinding', 'Prerequisites'],
  ['rbac.authorization.k8s.io', 'Role', 'Prerequisites'],
  ['rbac.authorization.k8s.io', 'RoleBinding', 'Prerequisites'],
  ['', 'ResourceQuota', 'Prerequisites'],
  ['', 'LimitRange', 'Prerequisites'],
  ['networking.k8s.io', 'NetworkPolicy', 'Prerequisites'],
  ['', 'ConfigMap', 'Regular'],
  ['', 'Secret', 'Regular'],
  ['apps', 'Deployment', 'Regular'],
  ['networking.k8s.io', 'Ingress', 'Regular'],
  ['x.io', 'Namespace', 'Regular'],
  ['x.io', 'Widget', 'Regular'],
  ['apiregistration.k8s.io', 'APIService', 'Late'],
  ['admissionregistration.k8s.io', 'ValidatingWebhookConfiguration', 'Late'],
  ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration', 'Late'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'Late'],
  ['admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding', 'Late'],
  ['admissionregistration.k8s.io', 'MutatingAdmissionPolicy', 'Late'],
  ['admissionregistration.k8s.io', 'MutatingAdmissionPolicyBinding', 'Late'],
];

test.each(KINDS)('%s/%s stands in the stage %3$s', (group, kind, stage) => {
  expect(planOf([sketch({ group, kind })]).waves[0]?.stages.map(({ name }) => name)).toEqual([stage]);
});

test('waves ascend, stages inside of them follow what others need', () => {
  const render = [
    sketch({ group: 'x.io', kind: 'Widget', namespace: 'shop' }),
    sketch({ group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' }),
    sketch({ group: 'apps', kind: 'Deployment', namespace: 'shop', annotations: { 'sync-wave': '2' } }),
    sketch({ kind: 'ConfigMap', namespace: 'shop' }),
    sketch({ kind: 'ServiceAccount', namespace: 'shop' }),
    definition('x.io', 'Widget'),
    sketch({ kind: 'Namespace', name: 'shop' }),
    sketch({ kind: 'Secret', namespace: 'shop', annotations: { 'sync-wave': '-1' } }),
  ];
  expect(shape(render)).toEqual([
    [-1, 'Regular: Secret'],
    [
      0,
      'Namespaces: Namespace',
      'Types: CustomResourceDefinition',
      'Prerequisites: ServiceAccount',
      'Regular: ConfigMap',
      'Late: ValidatingWebhookConfiguration',
      'Instances: Widget',
    ],
    [2, 'Regular: Deployment'],
  ]);
});

test('an instance needs its own CRD, and a namespaced object its own Namespace', () => {
  const plan = planOf([
    definition('x.io', 'Widget'),
    sketch({ kind: 'Namespace', name: 'shop' }),
    sketch({ group: 'x.io', version: 'v2', kind: 'Widget', namespace: 'shop' }),
    sketch({ group: 'y.io', kind: 'Widget', namespace: 'elsewhere' }),
  ]);
  const needs = Object.fromEntries(
    placed(plan).map(({ key, needs }) => [keyString(key), needs.map((need) => need.name)]),
  );
  expect(needs).toEqual({
    'apiextensions.k8s.io|CustomResourceDefinition||widgets.x.io': [],
    '|Namespace||shop': [],
    'x.io|Widget|shop|a': ['widgets.x.io', 'shop'],
    'y.io|Widget|elsewhere|a': [],
  });
});

test('an instance of an aggregated API needs its APIService, of its own version alone', () => {
  const plan = planOf([
    apiService('metrics.io', 'v1'),
    sketch({ group: 'metrics.io', version: 'v1', kind: 'PodMetric' }),
    sketch({ group: 'metrics.io', version: 'v2', kind: 'NodeMetric' }),
  ]);
  expect(placed(plan).map(({ key, stage, needs }) => [key.kind, stage, needs.length])).toEqual([
    ['NodeMetric', 'Regular', 0],
    ['APIService', 'Late', 0],
    ['PodMetric', 'Instances', 1],
  ]);
});

test('an APIService without a Service stands for the API server itself, and nothing waits for it', () => {
  const local = sketch({
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    spec: { group: 'apps', version: 'v1' },
  });
  expect(
    placed(planOf([local, sketch({ group: 'apps', kind: 'Deployment' })])).map(({ stage }) => stage),
  ).toEqual(['Regular', 'Late']);
});

test('strategy, limit and delete-order come with each object', () => {
  const plan = planOf([
    sketch({ kind: 'ConfigMap', name: 'plain' }),
    sketch({
      kind: 'ConfigMap',
      name: 'gated',
      annotations: {
        'sync-strategy': 'waitForHealthyWithTimeout',
        'sync-timeout': '1m',
        'delete-order': '4',
        'apply-order': '1',
      },
    }),
  ]);
  expect(plan.defaultStrategy).toBe('waitForHealthy');
  expect(placed(plan)).toMatchObject([
    { key: { name: 'plain' }, wave: 0, strategy: 'waitForHealthy', timeoutMs: 30_000, deleteOrder: 0 },
    {
      key: { name: 'gated' },
      wave: 1,
      strategy: 'waitForHealthyWithTimeout',
      timeoutMs: 60_000,
      deleteOrder: 4,
    },
  ]);
});

test('annotations that are not valid are handed on for a warning', () => {
  const { invalid } = planOf([sketch({ kind: 'ConfigMap', annotations: { 'sync-wave': 'x' } })]);
  expect(invalid).toMatchObject([
    { annotation: 'convoy.kumodo.io/sync-wave', value: 'x', key: { name: 'a' } },
  ]);
});

test('an empty render has no waves', () => {
  expect(planOf([]).waves).toEqual([]);
});

test('no object is lost or doubled', () => {
  fc.assert(
    fc.property(consistentRender, (render) => {
      const keys = (list: readonly KubeObject[]) => list.map((object) => keyString(keyOf(object))).sort();
      expect(keys(placed(planOf(render)).map(({ object }) => object))).toEqual(keys(render));
    }),
  );
});

test('the order in which objects come makes no difference', () => {
  fc.assert(
    fc.property(
      consistentRender.chain((render) =>
        fc.tuple(fc.constant(render), fc.shuffledSubarray(render, { minLength: render.length })),
      ),
      ([render, shuffled]) => {
        expect(planOf(shuffled)).toEqual(planOf(render));
      },
    ),
  );
});

test('waves ascend, and no wave or stage is empty', () => {
  fc.assert(
    fc.property(consistentRender, (render) => {
      const { waves } = planOf(render);
      const numbers = waves.map(({ number }) => number);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      for (const { stages } of waves) {
        const order = stages.map(({ name }) => STAGE_ORDER.indexOf(name));
        expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
        expect(stages.every(({ objects }) => objects.length > 0)).toBe(true);
        expect(stages.length).toBeGreaterThan(0);
      }
    }),
  );
});

test('where the order rules hold, what an object needs is applied at an earlier place', () => {
  fc.assert(
    fc.property(consistentRender, (render) => {
      expect(orderProblems(render)).toEqual([]);
      const places = new Map(
        planOf(render).waves.flatMap(({ number, stages }) =>
          stages.flatMap(({ name, objects }) =>
            objects.map((planned) => [keyString(planned.key), [number, STAGE_ORDER.indexOf(name)] as const]),
          ),
        ),
      );
      for (const planned of placed(planOf(render))) {
        const [wave, stage] = places.get(keyString(planned.key)) ?? [NaN, NaN];
        for (const need of planned.needs) {
          const [neededWave, neededStage] = places.get(keyString(need)) ?? [NaN, NaN];
          expect(neededWave < wave || (neededWave === wave && neededStage < stage)).toBe(true);
        }
      }
    }),
  );
});
