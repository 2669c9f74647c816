import type { AdoptionPolicy, HookPhase, SyncStrategy, UpdatePolicy } from '../../api/annotations.ts';
import type { StageName } from '../../api/inventory.ts';
import { keyOf, keyString, type KubeObject, type ObjectKey } from '../../api/object.ts';
import { compareKeys } from '../render/canonical.ts';
import { type InvalidAnnotation, type ObjectAnnotations, readAnnotations } from './annotations.ts';
import { backendsOf } from './backends.ts';
import { keysOf, NeedsIndex } from './needs.ts';
import { STAGE_ORDER, stageOf } from './stage.ts';
import { defaultStrategyOf } from './strategy.ts';

export interface PlannedObject {
  key: ObjectKey;
  object: KubeObject;
  wave: number;
  stage: StageName;
  strategy: SyncStrategy;
  /** Limit of the gate of its wave, where the strategy is waitForHealthyWithTimeout (ms). */
  timeoutMs: number;
  deleteOrder: number;
  /** The wave at whose end it is deleted again. */
  purgeOrder: number | undefined;
  updatePolicy: UpdatePolicy;
  adoptionPolicy: AdoptionPolicy;
  /** What it cannot exist without and the same render brings: its CRD or APIService, its Namespace. */
  needs: ObjectKey[];
  /** Services of the render that have to answer before it does any good: of a webhook configuration or an APIService. */
  backends: ObjectKey[];
}

export interface PlannedStage {
  name: StageName;
  /** Applied concurrently; in the order of a render. */
  objects: PlannedObject[];
}

export interface PlannedWave {
  number: number;
  /** In the order in which they are applied; none is empty. */
  stages: PlannedStage[];
}

/** A Job of the render that is a lifecycle hook: it is run, not applied. */
export interface PlannedHook {
  object: KubeObject;
  phase: HookPhase;
  /** Its place in the phase. */
  wave: number;
}

export interface Plan {
  /** Ascending; none is empty. */
  waves: PlannedWave[];
  /** In the order of their waves; of the same wave, in that of a render. */
  hooks: PlannedHook[];
  defaultStrategy: SyncStrategy;
  /** Annotations whose default holds, since their value is not valid. */
  invalid: InvalidAnnotation[];
}

/**
 * Puts every object of a render into its wave and stage (waves.md, axis A). The same objects give the same plan, in
 * whatever order they come. Nothing is moved to satisfy an order rule: see `orderProblems`.
 * @param defaultStrategy `spec.syncPolicy.defaultStrategy`
 */
export function planOf(objects: readonly KubeObject[], defaultStrategy?: SyncStrategy): Plan {
  const invalid: InvalidAnnotation[] = [];
  const sorted = objects
    .map((object) => ({ object, key: keyOf(object) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map((entry) => ({ ...entry, annotations: readAnnotations(entry.object, invalid) }));
  const resources = sorted.filter(({ annotations }) => annotations.hook === undefined);
  const strategy = defaultStrategyOf(
    resources.map(({ annotations }) => annotations),
    defaultStrategy,
  );
  const index = new NeedsIndex(objects);
  const waves = new Map(resources.map(({ key, annotations }) => [keyString(key), annotations.wave]));
  const planned = resources.map((entry) => plannedObject(entry, strategy, index, waves));
  return { waves: toWaves(planned), hooks: toHooks(sorted), defaultStrategy: strategy, invalid };
}

function toHooks(sorted: readonly { object: KubeObject; annotations: ObjectAnnotations }[]): PlannedHook[] {
  return sorted
    .flatMap(({ object, annotations: { hook: phase, wave } }) =>
      phase === undefined ? [] : [{ object, phase, wave }],
    )
    .sort((a, b) => a.wave - b.wave);
}

/** Objects of a wave, in the order of its stages. */
export function objectsOfWave({ stages }: PlannedWave): PlannedObject[] {
  return stages.flatMap(({ objects }) => objects);
}

/** All objects of a plan, in the order of its waves and stages. */
export function objectsOfPlan({ waves }: Pick<Plan, 'waves'>): PlannedObject[] {
  return waves.flatMap(objectsOfWave);
}

function plannedObject(
  { object, key, annotations }: { object: KubeObject; key: ObjectKey; annotations: ObjectAnnotations },
  defaultStrategy: SyncStrategy,
  index: NeedsIndex,
  waves: ReadonlyMap<string, number>,
): PlannedObject {
  const needs = index.of(object);
  const { wave, strategy = defaultStrategy, timeoutMs, deleteOrder, purgeOrder } = annotations;
  const { updatePolicy, adoptionPolicy } = annotations;
  const stage = needs.type === undefined ? stageOf(key) : 'Instances';
  const backends = backendsOf(object, wave, waves);
  return {
    ...{ key, object, wave, stage, strategy, timeoutMs, deleteOrder, purgeOrder },
    ...{ updatePolicy, adoptionPolicy },
    needs: keysOf(needs),
    backends,
  };
}

function toWaves(planned: readonly PlannedObject[]): PlannedWave[] {
  return [...Map.groupBy(planned, ({ wave }) => wave)]
    .sort(([a], [b]) => a - b)
    .map(([number, objects]) => ({ number, stages: toStages(objects) }));
}

function toStages(objects: readonly PlannedObject[]): PlannedStage[] {
  const byStage = Map.groupBy(objects, ({ stage }) => stage);
  return STAGE_ORDER.flatMap((name) => {
    const inStage = byStage.get(name);
    return inStage === undefined ? [] : [{ name, objects: inStage }];
  });
}
