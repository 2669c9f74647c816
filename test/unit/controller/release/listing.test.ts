import { expect, test } from 'vitest';
import { Inventory } from '../../../../controller/inventory/inventory.ts';
import { listBeforeApply } from '../../../../controller/release/listing.ts';
import { planOf } from '../../../../engine/plan/plan.ts';
import { sketch } from '../../engine/plan/support.ts';

const RENDER = `sha256:${'0'.repeat(64)}`;
const configMap = (annotations: Record<string, string>) =>
  sketch({ kind: 'ConfigMap', namespace: 'shop', name: 'web', annotations });

test('an object whose delete-order is taken out is listed without one', () => {
  const inventory = new Inventory();
  listBeforeApply(inventory, planOf([configMap({ 'delete-order': '3' })]), RENDER);
  expect(inventory.entries()).toMatchObject([{ name: 'web', deleteOrder: 3 }]);
  listBeforeApply(inventory, planOf([configMap({})]), RENDER);
  expect(inventory.entries()[0]).not.toHaveProperty('deleteOrder');
});

test('an object that is listed again keeps its UID', () => {
  const inventory = new Inventory();
  const plan = planOf([configMap({})]);
  listBeforeApply(inventory, plan, RENDER);
  inventory.applied({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'web' }, 'uid-1');
  listBeforeApply(inventory, plan, `sha256:${'1'.repeat(64)}`);
  expect(inventory.entries()).toMatchObject([{ uid: 'uid-1', renderRef: `sha256:${'1'.repeat(64)}` }]);
});
