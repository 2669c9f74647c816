import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StageName } from '../../../../api/inventory.ts';
import { keyString } from '../../../../api/object.ts';
import {
  type DeletionEntry,
  type DeletionWave,
  namespacesInUse,
  planDeletion,
} from '../../../../engine/plan/deletion.ts';
import { planOf } from '../../../../engine/plan/plan.ts';
import { consistentRender } from './support.ts';

function entry(kind: string, rest: Partial<DeletionEntry> = {}): DeletionEntry {
  return { group: '', kind, namespace: '', name: 'a', ...rest };
}
const shape = (waves: DeletionWave<DeletionEntry>[]) =>
  waves.map(({ deleteOrder, stages }) => [
    deleteOrder,
    ...stages.map(({ name, entries }) => `${name}: ${entries.map(({ kind }) => kind).join(' ')}`),
  ]);
const CRD = entry('CustomResourceDefinition', { group: 'apiextensions.k8s.io', name: 'widgets.x.io' });
const WIDGET = entry('Widget', { group: 'x.io', namespace: 'shop', stage: 'Instances' });
const SHOP = entry('Namespace', { name: 'shop' });

test('delete waves ascend, and the stages in them go backwards', () => {
  const entries = [
    SHOP,
    CRD,
    entry('ClusterRole', { group: 'rbac.authorization.k8s.io' }),
    entry('ConfigMap', { namespace: 'shop' }),
    entry('ValidatingWebhookConfiguration', { group: 'admissionregistration.k8s.io' }),
    WIDGET,
    entry('Deployment', { group: 'apps', namespace: 'shop', deleteOrder: -1 }),
  ];
  expect(shape(planDeletion(entries))).toEqual([
    [-1, 'Regular: Deployment'],
    [
      0,
      'Instances: Widget',
      'Late: ValidatingWebhookConfiguration',
      'Regular: ConfigMap',
      'Prerequisites: ClusterRole',
      'Types: CustomResourceDefinition',
      'Namespaces: Namespace',
    ],
  ]);
});

test('a Namespace waits for the last wave of what is in it', () => {
  const late = entry('ConfigMap', { namespace: 'shop', deleteOrder: 5 });
  expect(shape(planDeletion([SHOP, late]))).toEqual([[5, 'Regular: ConfigMap', 'Namespaces: Namespace']]);
});

test('a CRD waits for the last wave of its instances', () => {
  expect(shape(planDeletion([CRD, { ...WIDGET, deleteOrder: 2 }]))).toEqual([
    [2, 'Instances: Widget', 'Types: CustomResourceDefinition'],
  ]);
});

test('a Namespace with something in it that stays is not deleted', () => {
  const kept = [entry('Secret', { namespace: 'shop', name: 'kept' })];
  const gone = entry('ConfigMap', { namespace: 'shop' });
  expect(shape(planDeletion([SHOP, gone], kept))).toEqual([[0, 'Regular: ConfigMap']]);
  expect(namespacesInUse([SHOP, gone], kept)).toEqual([SHOP]);
});

test('a Namespace whose name is only that of a kept object is deleted', () => {
  const kept = [
    entry('Secret', { namespace: 'other', name: 'shop' }),
    entry('ClusterRole', { name: 'shop' }),
  ];
  expect(shape(planDeletion([SHOP], kept))).toEqual([[0, 'Namespaces: Namespace']]);
});

test('an inventory without stages is ordered by kind', () => {
  expect(shape(planDeletion([entry('ServiceAccount'), entry('Pod')]))).toEqual([
    [0, 'Regular: Pod', 'Prerequisites: ServiceAccount'],
  ]);
});

test('nothing is deleted for nothing', () => {
  expect(planDeletion([])).toEqual([]);
});

/** What the inventory lists after a render was applied. */
const applied = consistentRender.map((render) =>
  planOf(render).waves.flatMap(({ stages }) => stages.flatMap(({ objects }) => objects)),
);

test('each object is deleted once', () => {
  fc.assert(
    fc.property(applied, (objects) => {
      const entries = objects.map(({ key, stage, deleteOrder }) => ({ ...key, stage, deleteOrder }));
      const deleted = planDeletion(entries).flatMap(({ stages }) => stages.flatMap((stage) => stage.entries));
      expect(deleted.map(keyString).sort()).toEqual(entries.map(keyString).sort());
    }),
  );
});

test('in one delete wave the stages mirror those of the apply', () => {
  fc.assert(
    fc.property(applied, (objects) => {
      const entries = objects.map(({ key, stage }) => ({ ...key, stage }));
      const stagesOf = (list: readonly { stage: StageName }[]) => [
        ...new Set(list.map(({ stage }) => stage)),
      ];
      const oneWave = planOf(
        objects.map(({ object }) => ({ ...object, metadata: { ...object.metadata, annotations: {} } })),
      );
      const appliedStages = stagesOf(
        oneWave.waves.flatMap(({ stages }) => stages.flatMap((stage) => stage.objects)),
      );
      const deletedStages = planDeletion(entries).flatMap(({ stages }) => stages.map(({ name }) => name));
      expect(deletedStages).toEqual(appliedStages.toReversed());
    }),
  );
});

test('nothing that another object needs is deleted before that object', () => {
  fc.assert(
    fc.property(
      applied,
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 30, maxLength: 30 }),
      (objects, orders) => {
        // Any delete-orders: an inventory may hold those of an older render.
        const entries = objects.map(({ key, stage }, i) => ({ ...key, stage, deleteOrder: orders[i] ?? 0 }));
        const places = planDeletion(entries)
          .flatMap(({ stages }) => stages)
          .flatMap((stage, place) => stage.entries.map((deleted) => [keyString(deleted), place] as const));
        const placeOf = new Map(places);
        for (const { key, needs } of objects) {
          for (const need of needs) {
            if (need.kind === 'APIService') continue;
            expect(placeOf.get(keyString(key))).toBeLessThan(placeOf.get(keyString(need)) ?? NaN);
          }
        }
      },
    ),
  );
});
