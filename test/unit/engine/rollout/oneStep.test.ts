import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectsOfPlan, planOf } from '../../../../engine/plan/plan.ts';
import { inOneStep } from '../../../../engine/rollout/oneStep.ts';
import { STAGE_ORDER } from '../../../../engine/plan/stage.ts';
import type { KubeObject } from '../../../../api/object.ts';

const sketch = (kind: string, wave: number, index: number): KubeObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: `${kind}-${index}`, annotations: { 'convoy.kumodo.io/sync-wave': String(wave) } },
});

test('a rollback has one wave with every object, which keeps its own, in the order of the stages', () => {
  const kind = fc.constantFrom('Namespace', 'ServiceAccount', 'ConfigMap', 'Service');
  const drawn = fc.array(fc.tuple(kind, fc.integer({ min: -3, max: 3 })), { minLength: 1 });
  fc.assert(
    fc.property(drawn, (sketches) => {
      const plan = planOf(sketches.map(([name, wave], index) => sketch(name, wave, index)));
      const once = inOneStep(plan);
      expect(once.waves).toHaveLength(1);
      const byName = (objects: ReturnType<typeof objectsOfPlan>) =>
        objects.toSorted((a, b) => (a.key.name < b.key.name ? -1 : 1));
      expect(byName(objectsOfPlan(once))).toEqual(byName(objectsOfPlan(plan)));
      const stages = once.waves.flatMap((wave) => wave.stages.map(({ name }) => name));
      expect(stages).toEqual(STAGE_ORDER.filter((name) => stages.includes(name)));
    }),
  );
});

test('a render without objects has no wave', () => {
  expect(inOneStep(planOf([])).waves).toEqual([]);
});
